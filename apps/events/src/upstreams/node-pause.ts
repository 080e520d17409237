import { setTimeout as sleep } from 'node:timers/promises';
import { UpstreamFailed } from './event-source.js';

/** Pause if a node does not say how long to wait; doubled while it keeps refusing. */
const FIRST_PAUSE_MS = 500;
/** Longest pause, even if the node asks for more: a wrong header must not disable the node for hours. */
const MAX_PAUSE_MS = 30_000;
/** A call waits this long at most; during a longer pause it fails, so that another node can be asked. */
const MAX_WAIT_MS = 2_000;

/** The node refuses calls because of its rate limit. */
export class RateLimited extends UpstreamFailed {
  /** `retryAfterMs`: the time that the node asks for; null if it does not say. */
  constructor(readonly retryAfterMs: number | null) {
    const wait = retryAfterMs === null ? '' : `; retry in ${Math.ceil(retryAfterMs / 1_000)} s`;
    super(`ledger node limits the rate of calls${wait}`);
  }
}

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
