import { RestAfterFailure } from '@forecourt/resilience';

/** Failures in a row after which requests are refused for a while. */
const FAILURES = 5;
const PAUSE = { firstMs: 1_000, longestMs: 15_000, jitter: 0.2 };

/**
 * Refuses requests to a service that fails, so that it can recover and no caller waits for it. After a pause,
 * which doubles up to a limit, one request is let through.
 */
export class CircuitBreaker {
  #failures = 0;
  readonly #pause = new RestAfterFailure(PAUSE);
  #isTrying = false;

  /** Time in ms until the next request is let through; 0: requests are. */
  get remainingMs(): number {
    return this.#pause.remainingMs;
  }

  get isOpen(): boolean {
    return this.#pause.hasFailed;
  }

  /** Whether a request may start. While the breaker is open, one at a time may, and only after the pause. */
  admit(): boolean {
    if (!this.isOpen) return true;
    if (this.#isTrying || this.remainingMs > 0) return false;
    this.#isTrying = true;
    return true;
  }

  /** True: the outage has ended. */
  succeed(): boolean {
    const wasOpen = this.isOpen;
    this.#failures = 0;
    this.#pause.succeed();
    this.#isTrying = false;
    return wasOpen;
  }

  /** `isLasting`: a repetition would fail in the same way. True: the outage has begun. */
  fail(isLasting = false): boolean {
    const wasOpen = this.isOpen;
    this.#failures += 1;
    // Requests that began before the outage are late news.
    if (wasOpen && !this.#isTrying) return false;
    this.#isTrying = false;
    if (!isLasting && !wasOpen && this.#failures < FAILURES) return false;
    this.#pause.fail();
    return !wasOpen;
  }

  /** The request has ended without telling anything about the service. */
  forget(): void {
    this.#isTrying = false;
  }
}
