export interface BucketOptions {
  /** Tokens in a full bucket. */
  readonly capacity: number;
  readonly perSecond: number;
  /** How far below zero charges can take a bucket; default: without limit. */
  readonly maxDebt?: number;
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number;
}

interface Bucket {
  tokens: number;
  time: number;
}

/** Fewest new buckets between two removals of full ones. */
const SWEEP_INTERVAL = 1_000;

/** One token bucket per client: bursts of up to `capacity` tokens, `perSecond` in the long run. */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #now: () => number;
  #untilSweep = SWEEP_INTERVAL;

  /** Buckets of as many tokens as they gain within `seconds`. */
  static within(seconds: number, capacity: number): TokenBuckets {
    return new TokenBuckets({ capacity, perSecond: capacity / seconds });
  }

  constructor(private readonly options: BucketOptions) {
    this.#now = options.now ?? (() => performance.now());
  }

  /** Takes a token, or several. Returns 0, or the seconds until they are available. */
  take(client: string, count = 1): number {
    const now = this.#now();
    const bucket = this.refill(client, now);
    if (bucket.tokens < count) return (count - bucket.tokens) / this.options.perSecond;
    bucket.tokens -= count;
    return 0;
  }

  /** Remembers nothing about a client that has taken no tokens. */
  isEmpty(client: string): boolean {
    if (!this.#buckets.has(client)) return this.options.capacity <= 0;
    return this.refill(client, this.#now()).tokens <= 0;
  }

  /**
   * Takes tokens even if the bucket goes negative: a cost that is known only afterwards delays later calls.
   * Returns the seconds until the debt is paid.
   */
  charge(client: string, tokens: number): number {
    const bucket = this.refill(client, this.#now());
    const { maxDebt = Infinity, perSecond } = this.options;
    bucket.tokens = Math.max(bucket.tokens - tokens, -maxDebt);
    return Math.max(0, -bucket.tokens) / perSecond;
  }

  /** Takes back what was taken in excess: the bucket holds no more than its capacity all the same. */
  giveBack(client: string): void {
    const bucket = this.refill(client, this.#now());
    bucket.tokens = Math.min(bucket.tokens + 1, this.options.capacity);
  }

  /** The client's bucket with the tokens that it has gained by now; a new one is full. */
  private refill(client: string, now: number): Bucket {
    const { capacity, perSecond } = this.options;
    const bucket = this.#buckets.get(client);
    if (bucket) {
      bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.time) * perSecond) / 1_000);
      bucket.time = now;
      return bucket;
    }
    if (--this.#untilSweep === 0) this.sweep(now);
    const full = { tokens: capacity, time: now };
    this.#buckets.set(client, full);
    return full;
  }

  /** Removes full buckets, so that memory does not grow with every client ever seen. */
  private sweep(now: number): void {
    const { capacity, perSecond } = this.options;
    for (const [client, { tokens, time }] of this.#buckets) {
      if (tokens + ((now - time) * perSecond) / 1_000 >= capacity) this.#buckets.delete(client);
    }
    this.#untilSweep = Math.max(SWEEP_INTERVAL, this.#buckets.size);
  }
}
