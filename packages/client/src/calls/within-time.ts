import { Unanswered } from './unanswered.js';
import { LONGEST_TIMER_MS, orAborted } from './wait.js';

/**
 * Runs `work` with a signal that aborts with `signal`, or after `limitMs`. Throws `Unanswered`, which names `peer`, the
 * reason of `signal`, and the errors of `work`.
 */
export async function withinTime<T>(
  limitMs: number,
  signal: AbortSignal | undefined,
  peer: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(
    () => controller.abort(new Unanswered('TIMEOUT', `No answer from ${peer} in time`)),
    Math.min(limitMs, LONGEST_TIMER_MS),
  );
  try {
    return await orAborted(work(controller.signal), controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
