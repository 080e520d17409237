/** Returns a function that returns the seconds since this call. */
export function startStopwatch(): () => number {
  const startedAt = performance.now();
  return () => (performance.now() - startedAt) / 1_000;
}
