/**
 * Calls `ask` until an answer arrives within `withinMs` of its call, and returns it. Drops an answer that a
 * pause of this process has delayed: it may be out of date. Throws the errors of `ask`.
 */
export async function retryUntilFresh<T>(withinMs: number, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const askedAt = performance.now();
    const answer = await ask();
    if (performance.now() - askedAt <= withinMs) return answer;
  }
}
