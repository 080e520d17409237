import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;
const POLL_MS = 20;

/** Polls a condition until it holds. Throws `Error` naming `what` is waited for when that takes longer than `timeoutMs`. */
export async function waitUntil(
  holds: () => Promise<boolean>,
  { what = 'a condition', timeoutMs = TIMEOUT_MS } = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) {
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}`);
    }
    await delay(POLL_MS);
  }
}
