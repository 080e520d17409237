/** Attempts of a delivery, until it is delivered again by hand. */
export const MOST_ATTEMPTS = 12;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The pause after each attempt but the last: 56 hours in total, and less than 72 with the jitter. */
const PAUSES_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  16 * HOUR_MS,
  24 * HOUR_MS,
];
/** Largest share that is added to a pause. */
const JITTER = 0.25;

const SHORTEST_REST_MS = 5_000;
const LONGEST_REST_MS = 5 * MINUTE_MS;

/** The pause after a failed attempt, counted from 1; null: it was the last one. `random`: from 0 to 1. */
export function pauseAfterAttempt(attempt: number, random = Math.random()): number | null {
  const pauseMs = PAUSES_MS[attempt - 1];
  return pauseMs === undefined ? null : withJitter(pauseMs, random);
}

/**
 * How long a receiver gets nothing after this many failures without a success. Deliveries that were not tried
 * keep their attempts, so that an outage costs each only few of them.
 */
export function restAfterFailures(failures: number, random = Math.random()): number {
  const restMs = Math.min(SHORTEST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS);
  return withJitter(restMs, random);
}

function withJitter(ms: number, random: number): number {
  return Math.round(ms * (1 + JITTER * random));
}
