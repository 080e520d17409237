/** Lets at most `burst` through at once and `perSecond` on average. */
export class TokenBucket {
  private tokens: number;
  private filledAt: number;

  constructor(
    private readonly limits: { readonly perSecond: number; readonly burst: number },
    private readonly now: () => number = () => performance.now(),
  ) {
    this.tokens = limits.burst;
    this.filledAt = now();
  }

  /** Whether one more may pass now. */
  take(): boolean {
    const at = this.now();
    const earned = ((at - this.filledAt) / 1000) * this.limits.perSecond;
    this.tokens = Math.min(this.limits.burst, this.tokens + earned);
    this.filledAt = at;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
