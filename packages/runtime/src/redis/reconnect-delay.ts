/**
 * Milliseconds before the given attempt to reconnect, counted from 1: never more than a second, so that a service works
 * again as soon as Redis does. BullMQ's own rule waits for up to 20 s.
 */
export function reconnectDelay(attempt: number): number {
  return Math.min(50 * attempt, 1_000);
}
