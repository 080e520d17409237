import { setTimeout as delay } from 'node:timers/promises';

const ASK_EVERY_MS = 50;

/**
 * Polls the address until it returns 2xx, then resolves to null; otherwise to the problem, as the
 * end of a sentence.
 */
export async function untilReady(
  url: string,
  timeoutMs: number,
  isRunning: () => boolean,
): Promise<string | null> {
  const deadline = Date.now() + timeoutMs;
  let last = 'no answer';
  while (Date.now() < deadline) {
    if (!isRunning()) return 'ended before it was ready';
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
      const body = await response.text();
      if (response.ok) return null;
      last = `${response.status} ${body}`;
    } catch {
      last = 'no answer';
    }
    await delay(ASK_EVERY_MS);
  }
  return `was not ready after ${timeoutMs / 1000} s (${url}: ${last})`;
}
