/** Tells, whenever it is called, how many seconds have passed. */
export function startStopwatch(): () => number {
  const startedAt = performance.now();
  return () => (performance.now() - startedAt) / 1_000;
}
