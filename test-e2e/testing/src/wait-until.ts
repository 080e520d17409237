import { setTimeout as delay } from 'node:timers/promises';

/** As for tests: it only ends what hangs. */
const TIMEOUT_MS = 240_000;
const FIRST_PAUSE_MS = 20;
/** Tests poll concurrently on few cores, so the interval grows with the waiting time. */
const LONGEST_PAUSE_MS = 100;

/**
 * Polls a condition until it holds. Throws `Error` with `what` when that takes longer than
 * `timeoutMs`.
 */
export async function waitUntil(
  holds: () => Promise<boolean>,
  { what = 'a condition', timeoutMs = TIMEOUT_MS } = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let pauseMs = FIRST_PAUSE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) {
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}`);
    }
    await delay(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
}
