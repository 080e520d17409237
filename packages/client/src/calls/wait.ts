/** Timers cannot run for longer: a greater delay would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Settles like `work`, or rejects with the reason of `signal` as soon as that aborts, even if `work` settles later. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
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
