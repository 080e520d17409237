export interface RestTimes {
  /** The first rest, in milliseconds. */
  readonly firstMs: number;
  /** Each further rest is twice as long, up to this; default: rests do not grow. */
  readonly longestMs?: number;
  /** The largest part by which chance shortens a rest, so that those who wait for it spread; default 0. */
  readonly jitter?: number;
  /** Failures in a row before the first rest; default 1. */
  readonly after?: number;
  /** Calls at once that try it after a rest; default: any number. */
  readonly tries?: number;
}

interface Failure {
  /** How long it asks to be left alone, in place of the usual time; at most `longestMs` counts. */
  readonly askedMs?: number | null;
  /** A repetition would fail in the same way: it rests at once. */
  readonly isLasting?: boolean;
}

/**
 * The rest of something that has failed, such as a node: the longer, the more often it has failed since its
 * last success. The caller decides what a rest means: it prefers others, waits or refuses.
 */
export class RestAfterFailure {
  #failures = 0;
  #rests = 0;
  #until = 0;
  #tries = 0;

  constructor(private readonly times: RestTimes) {}

  /** Whether it has rested since its last success; also when the rest is over. */
  get hasFailed(): boolean {
    return this.#rests > 0;
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

  /** Whether it should not be called: it rests, or is being tried. */
  get isClosed(): boolean {
    const { tries = Infinity } = this.times;
    return this.hasFailed && (this.remainingMs > 0 || this.#tries >= tries);
  }

  /** Whether a call begins, which is to be followed by `succeed`, `fail` or `forget`. */
  begin(): boolean {
    if (this.isClosed) return false;
    if (this.hasFailed) this.#tries += 1;
    return true;
  }

  /** Counts a failure, and begins a rest where it is due. */
  fail({ askedMs = null, isLasting = false }: Failure = {}): void {
    const { firstMs, longestMs = firstMs, jitter = 0, after = 1, tries } = this.times;
    // Calls that began before the rest are late news.
    if (tries !== undefined && this.hasFailed && this.#tries === 0) return;
    this.forget();
    this.#failures += 1;
    if (!isLasting && !this.hasFailed && this.#failures < after) return;
    const restMs = Math.min(askedMs ?? firstMs * 2 ** this.#rests, longestMs);
    this.#rests += 1;
    this.extend(restMs * (1 - jitter * Math.random()));
  }

  /** A call has ended and has told nothing. */
  forget(): void {
    this.#tries = Math.max(0, this.#tries - 1);
  }

  /** Rests for at least so long, without a failure. */
  extend(ms: number): void {
    this.#until = Math.max(this.#until, performance.now() + ms);
  }

  /** Ends the rest. */
  succeed(): void {
    this.#failures = this.#rests = this.#until = this.#tries = 0;
  }
}
