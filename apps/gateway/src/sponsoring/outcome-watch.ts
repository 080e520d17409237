import {
  ExecutionReply,
  type FindReservationMessage,
  ForecourtError,
  type TransactionEffects,
} from '@forecourt/contracts';

/** Collects the executors' replies about one transaction for one request. */
export class OutcomeWatch {
  #effects: TransactionEffects | null = null;
  /** The node that serves reads shows the transaction. */
  #isLocal = false;
  /** Fence of a claim → the ledger's refusal of it. */
  readonly #refusals = new Map<number, string>();
  /** Fence of a claim → when the sponsor's key, which cannot sign it at the moment, may be asked again. */
  readonly #unsigned = new Map<number, number>();
  /** Whether a reply has arrived that `nextReply` has not reported. */
  #hasNews = false;
  #wakeSleeper: (() => void) | null = null;

  constructor(
    readonly lookup: FindReservationMessage,
    readonly close: () => void,
  ) {}

  receive({ outcome, reservationId, fence }: ExecutionReply): void {
    if (outcome.kind === 'executed') this.#effects = outcome.effects;
    if (outcome.kind === 'local') this.#isLocal = true;
    // An executed transaction is executed for every reservation; a refusal concerns one reservation only.
    const isOwn = reservationId === this.lookup.reservationId;
    if (outcome.kind === 'refused' && isOwn) this.#refusals.set(fence, outcome.message);
    if (outcome.kind === 'unsigned' && isOwn) this.#unsigned.set(fence, outcome.retryAfterSecs);
    this.#hasNews = true;
    this.wake();
  }

  /** Ends the current wait. */
  wake(): void {
    this.#wakeSleeper?.();
  }

  /** The effects, if they have arrived, whether or not the request waits for a node as well. */
  get effects(): TransactionEffects | null {
    return this.#effects;
  }

  /**
   * Returns the effects as soon as the request's wait for them ends, or null after `waitMs`. Throws
   * REFUSED_BY_LEDGER as soon as the claim with this fence is refused, and SIGNER_UNREACHABLE as soon as it
   * cannot be signed.
   */
  async next(fence: number, waitMs: number): Promise<TransactionEffects | null> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const refusal = this.#refusals.get(fence);
      if (refusal !== undefined) throw new ForecourtError('REFUSED_BY_LEDGER', refusal);
      const isAnyNodeEnough = this.lookup.waiter.requestType === 'waitForEffectsCert';
      if (this.#effects && (isAnyNodeEnough || this.#isLocal)) return this.#effects;
      const retryAfterSecs = this.#unsigned.get(fence);
      if (retryAfterSecs !== undefined && !this.#effects) {
        throw new ForecourtError('SIGNER_UNREACHABLE', '', { retryAfterSecs });
      }
      const left = deadline - performance.now();
      if (left <= 0) return null;
      await this.sleep(left);
    }
  }

  /** Resolves after a reply that it has not reported yet, after `wake`, or after `waitMs`. */
  async nextReply(waitMs: number): Promise<void> {
    if (!this.#hasNews) await this.sleep(waitMs);
    this.#hasNews = false;
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakeSleeper = () => {
        clearTimeout(timer);
        this.#wakeSleeper = null;
        resolve();
      };
    });
  }
}
