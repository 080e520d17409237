export interface RestTimes {
  /** The rest after the first failure, in milliseconds. */
  readonly firstMs: number;
  /** Each further failure doubles the rest up to this; default: it does not grow. */
  readonly longestMs?: number;
  /** The largest part by which chance shortens a rest, so that those who wait for it spread; default 0. */
  readonly jitter?: number;
}

/**
 * The rest of something that has failed, such as a node: the longer, the more often it has failed since its
 * last success. The caller decides what a rest means: it prefers others, waits or refuses.
 */
export class RestAfterFailure {
  #failures = 0;
  #until = 0;

  constructor(private readonly times: RestTimes) {}

  /** Whether it has failed since its last success; also when the rest is over. */
  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  /**
   * The end of the latest rest, on the clock of `performance.now()`; 0: there was none since the last
   * success.
   */
  get until(): number {
    return this.#until;
  }

  /** Milliseconds until the end of the rest; 0: it does not rest. */
  get remainingMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /**
   * Begins a rest. `askedMs`: how long it asks to be left alone, in place of the usual time; at most
   * `longestMs` counts.
   */
  fail(askedMs: number | null = null): void {
    const { firstMs, longestMs = firstMs, jitter = 0 } = this.times;
    const restMs = Math.min(askedMs ?? firstMs * 2 ** this.#failures, longestMs);
    this.#failures += 1;
    this.extend(restMs * (1 - jitter * Math.random()));
  }

  /** Rests for at least so long, without a failure. */
  extend(ms: number): void {
    this.#until = Math.max(this.#until, performance.now() + ms);
  }

  /** Ends the rest. */
  succeed(): void {
    this.#failures = 0;
    this.#until = 0;
  }
}
