import { setTimeout as sleep } from 'node:timers/promises';
import { RestAfterFailure } from '@forecourt/resilience';
import { RateLimited } from './rate-limited.js';

/** The longest also if the node asks for more: a wrong header must not disable the node for hours. */
const PAUSES = { firstMs: 500, longestMs: 30_000 };
/** Longest wait of a call; during a longer pause it fails, so that another node is used. */
const MAX_WAIT_MS = 2_000;

/** Respects a node's rate limit: after a refusal no call is made before the pause has passed. */
export class NodePause {
  readonly #rest = new RestAfterFailure(PAUSES);

  /**
   * Waits for the end of a short pause. Throws `RateLimited` during a long one, and an `AbortError` when
   * `signal` aborts.
   */
  async pass(signal: AbortSignal | null): Promise<void> {
    const waitMs = this.#rest.remainingMs;
    if (waitMs === 0) return;
    if (waitMs > MAX_WAIT_MS) throw new RateLimited(waitMs);
    await sleep(waitMs, undefined, signal ? { signal } : {});
  }

  begin({ retryAfterMs }: RateLimited): void {
    this.#rest.fail({ askedMs: retryAfterMs });
  }

  /** Called when the node responds. A call that began before the pause does not end it. */
  end(): void {
    if (this.#rest.remainingMs === 0) this.#rest.succeed();
  }
}
