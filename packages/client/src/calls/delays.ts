const FIRST_MS = 200;
const LONGEST_MS = 5_000;

/**
 * The delay before the next attempt, in ms: random, so that the clients of a service that was unavailable do
 * not all return at once, and on average twice as long after each failure.
 */
export function randomDelay(failures: number): number {
  return Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
}

/**
 * The delay in the header `Retry-After`, in ms; undefined if it is absent or unreadable (RFC 9110, 10.2.3).
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (value === '') return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Timers cannot run for longer: a greater delay would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The reason of an aborted signal. The signals of React Native and of Safari 15.0 have none. */
function reasonOf(signal: AbortSignal): Error {
  const reason = signal.reason as Error | undefined;
  if (reason !== undefined) return reason;
  return Object.assign(new Error('The call was aborted'), { name: 'AbortError' });
}

/** Throws the reason of `signal` if it has aborted. Some platforms lack the signal's own method. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw reasonOf(signal);
}

/**
 * Settles like `work`, or rejects with the reason of `signal` as soon as that aborts, even if `work` settles
 * later.
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(reasonOf(signal));
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });
}

/** Resolves after `ms`. Throws the reason of `signal` as soon as it aborts. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
  });
  try {
    await orAborted(over, signal);
  } finally {
    clearTimeout(timer);
  }
}
