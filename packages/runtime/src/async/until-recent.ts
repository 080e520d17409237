/**
 * Asks until an answer arrives within `withinMs` of its question, and returns it. An answer that a pause of this process has
 * made old is not used: what it says may have changed. Throws what `ask` throws.
 */
export async function untilRecent<T>(withinMs: number, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const askedAt = performance.now();
    const answer = await ask();
    if (performance.now() - askedAt <= withinMs) return answer;
  }
}
