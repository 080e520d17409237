import { randomDelay, readRetryAfter, wait } from './delays.js';
import { type HttpAnswer, type HttpRequest, sendRequest, withinTime } from './send-request.js';
import { Unanswered } from './unanswered.js';

/** Longer than a gas station waits for finality and for a node that serves reads. */
const LONGEST_ATTEMPT_MS = 40_000;
/** With less time left, another attempt is unlikely to be answered. */
const SHORTEST_ATTEMPT_MS = 200;

/** The service, or a proxy in front of it, could not process the request. */
const UNAVAILABLE = new Set([502, 503, 504]);
/** A proxy lost the service, or waited for too long: the request may have been processed. */
const UNCERTAIN = new Set([502, 504]);

export interface SendLimits {
  /** Total time of all attempts and the delays between them, in ms. */
  readonly timeoutMs: number;
  /** Maximum number of repetitions if it is unknown whether the request has arrived. Absent: no limit. */
  readonly maxResends?: number | undefined;
  /** Answers that may change later, in addition to those of unavailable services. */
  readonly mayChange?: ((answer: HttpAnswer) => boolean) | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface LastAnswer extends HttpAnswer {
  /** Whether the request had been sent before, and may have had its effect then. */
  readonly isRepeated: boolean;
}

/**
 * Repeats the same request until the answer is final, and resolves with the last answer. Waits at least as
 * long as `Retry-After` says; does not wait for an attempt that would begin too late. Throws `Unanswered` and
 * the reason of the signal.
 */
export async function sendUntilAnswered(
  fetch: typeof globalThis.fetch,
  request: HttpRequest,
  limits: SendLimits,
): Promise<LastAnswer> {
  const { timeoutMs, maxResends = Infinity, mayChange, signal } = limits;
  const endsAt = performance.now() + timeoutMs;
  const leftMs = () => endsAt - performance.now();
  const isTooLate = (delayMs: number) => delayMs + SHORTEST_ATTEMPT_MS > leftMs();
  let resends = 0;
  for (let failures = 0; ; failures += 1) {
    let delayMs = randomDelay(failures);
    try {
      const limitMs = Math.min(LONGEST_ATTEMPT_MS, leftMs());
      const response = await withinTime(limitMs, signal, request.url, (attempt) =>
        sendRequest(fetch, request, attempt),
      );
      const answer = { ...response, isRepeated: failures > 0 };
      delayMs += readRetryAfter(answer.headers) ?? 0;
      const isTemporary = UNAVAILABLE.has(answer.status) || mayChange?.(answer);
      if (!isTemporary || isTooLate(delayMs)) return answer;
      if (UNCERTAIN.has(answer.status)) {
        if (resends === maxResends) return answer;
        resends += 1;
      }
    } catch (error) {
      const isLost = error instanceof Unanswered;
      if (!isLost || resends === maxResends || isTooLate(delayMs)) throw error;
      resends += 1;
    }
    await wait(delayMs, signal);
  }
}
