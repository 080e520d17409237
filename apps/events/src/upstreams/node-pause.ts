import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimited } from './upstream-errors.js';

/** Pause if a node does not say how long to wait; doubled while it keeps refusing. */
const FIRST_PAUSE_MS = 500;
/** Longest pause, even if the node asks for more: a wrong header must not disable the node for hours. */
const MAX_PAUSE_MS = 30_000;
/** Longest wait of a call; during a longer pause it fails, so that another node is used. */
const MAX_WAIT_MS = 2_000;

/** Respects a node's rate limit: after a refusal no call is made before the pause has passed. */
export class NodePause {
  #until = 0;
  #refusals = 0;

  /** Waits for the end of a short pause. Throws `RateLimited` during a long one, and an `AbortError` when `signal` aborts. */
  async pass(signal: AbortSignal | null): Promise<void> {
    const waitMs = this.#until - performance.now();
    if (waitMs <= 0) return;
    if (waitMs > MAX_WAIT_MS) throw new RateLimited(waitMs);
    await sleep(waitMs, undefined, signal ? { signal } : {});
  }

  begin({ retryAfterMs }: RateLimited): void {
    const usual = FIRST_PAUSE_MS * 2 ** Math.min(this.#refusals, 10);
    const pauseMs = Math.min(retryAfterMs ?? usual, MAX_PAUSE_MS);
    this.#refusals += 1;
    this.#until = Math.max(this.#until, performance.now() + pauseMs);
  }

  /** Called when the node responds again. */
  end(): void {
    this.#refusals = 0;
  }
}
