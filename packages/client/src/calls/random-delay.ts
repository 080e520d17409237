const FIRST_MS = 200;
const LONGEST_MS = 5_000;

/**
 * The delay before the next attempt, in ms: random, so that the clients of a service that was unavailable do not all
 * return at once, and on average twice as long after each failure.
 */
export function randomDelay(failures: number): number {
  return Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
}
