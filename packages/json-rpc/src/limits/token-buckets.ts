export interface BucketOptions {
  /** Tokens of a bucket that has not been used for a while. */
  readonly capacity: number;
  readonly perSecond: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const SWEEP_EVERY = 1_000;

/** One token bucket for each client: bursts up to `capacity`, `perSecond` in the long run. */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #now: () => number;
  #untilSweep = SWEEP_EVERY;

  constructor(private readonly options: BucketOptions) {
    this.#now = options.now ?? (() => performance.now());
  }

  /** Takes a token. Ends with 0, or with the seconds until there is one. */
  take(client: string): number {
    const now = this.#now();
    const bucket = this.bucketOf(client, now);
    if (bucket.tokens < 1) return (1 - bucket.tokens) / this.options.perSecond;
    bucket.tokens -= 1;
    return 0;
  }

  /** Takes tokens whether they are there or not: what has become more expensive than was known is paid for later. */
  charge(client: string, tokens: number): void {
    this.bucketOf(client, this.#now()).tokens -= tokens;
  }

  private bucketOf(client: string, now: number): Bucket {
    const { capacity, perSecond } = this.options;
    const bucket = this.#buckets.get(client);
    if (bucket) {
      bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) * perSecond) / 1_000);
      bucket.at = now;
      return bucket;
    }
    if (--this.#untilSweep === 0) this.sweep(now);
    const full = { tokens: capacity, at: now };
    this.#buckets.set(client, full);
    return full;
  }

  /** Forgets the full ones, so that those who come once are not remembered for ever. */
  private sweep(now: number): void {
    const { capacity, perSecond } = this.options;
    for (const [client, { tokens, at }] of this.#buckets) {
      if (tokens + ((now - at) * perSecond) / 1_000 >= capacity) this.#buckets.delete(client);
    }
    this.#untilSweep = Math.max(SWEEP_EVERY, this.#buckets.size);
  }
}
