import { setTimeout as delay } from 'node:timers/promises';
import { type HttpReply, type HttpRequest, sendHttp } from './send-http.js';

/**
 * Longer than a person waits, because a busy machine is not a failure: the comparison of p99 finds what takes
 * too long.
 */
export const PATIENCE_MS = 60_000;
const AGAIN_MS = 250;

export type PatientReply =
  { readonly reply: HttpReply; readonly failure: null } | { readonly failure: string };

/**
 * Repeats a request as a well-behaved client does: after a broken connection, and after a 503 with
 * `Retry-After`. Every other status than 200 is a failure, and so is a request that takes longer than a
 * person waits.
 */
export async function requestPatiently(
  url: string,
  what: string,
  request: Omit<HttpRequest, 'timeoutMs'>,
): Promise<PatientReply> {
  const deadline = performance.now() + PATIENCE_MS;
  let last = '';
  for (;;) {
    const timeoutMs = deadline - performance.now();
    if (timeoutMs <= 0) return { failure: `${what}: gave up after ${last}` };
    const reply = await sendHttp(url, { ...request, timeoutMs }).catch((error: Error) => {
      last = error.message;
      return null;
    });
    if (reply?.status === 200) return { reply, failure: null };
    if (reply !== null && (reply.status !== 503 || reply.retryAfterSecs === null)) {
      return { failure: `${what}: ${reply.status} ${reply.text.slice(0, 100)}` };
    }
    if (reply) last = `503 ${reply.text.slice(0, 100)}`;
    await delay(reply?.retryAfterSecs ? reply.retryAfterSecs * 1_000 : AGAIN_MS);
  }
}
