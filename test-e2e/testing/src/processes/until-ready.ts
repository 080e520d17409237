import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const ASK_EVERY_MS = 50;
const ANSWER_MS = 5_000;

/**
 * Source ports of the polls, below those that systems choose for connections. A poll whose source port the
 * system chooses may leave from the port that it polls: it connects to itself, and the service cannot listen.
 */
const OWN_PORTS = [10_000, 20_000] as const;

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
      const { status, body } = await ask(url);
      if (status >= 200 && status < 300) return null;
      last = `${status} ${body}`;
    } catch {
      last = 'no answer';
    }
    await delay(ASK_EVERY_MS);
  }
  return `was not ready after ${timeoutMs / 1000} s (${url}: ${last})`;
}

async function ask(url: string): Promise<{ readonly status: number; readonly body: string }> {
  let localPort = randomInt(...OWN_PORTS);
  if (String(localPort) === new URL(url).port) localPort += 1;
  const request = get(url, { agent: false, localPort, signal: AbortSignal.timeout(ANSWER_MS) });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}
