/**
 * Milliseconds before the given attempt to reconnect, counted from 1: at most a second, so that a service recovers
 * together with Redis. BullMQ's own rule waits for up to 20 s.
 */
export function reconnectDelay(attempt: number): number {
  return Math.min(50 * attempt, 1_000);
}
