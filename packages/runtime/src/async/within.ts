/** The promise's result. Throws `Error` with `what` when it takes longer than `ms`. */
export async function within<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls `ask` until an answer arrives within `withinMs` of its call, and returns it. Drops an answer that a pause
 * of this process has delayed: it may be out of date. Throws the errors of `ask`.
 */
export async function untilRecent<T>(withinMs: number, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const askedAt = performance.now();
    const answer = await ask();
    if (performance.now() - askedAt <= withinMs) return answer;
  }
}
