import { DAY_MS, dayOf } from './record-ids.js';

/** A bucket ends 9 % later than the one before it, so that its middle is within 5 % of every time in it. */
const BUCKETS_PER_DOUBLING = 8;

/**
 * SQL that joins to each sponsorship `s` a row for each measure that it has: `latency.measure` and
 * `latency.bucket`. A transaction may be claimed again after a refusal: only its last claim counts.
 */
export const WITH_LATENCIES = `
  CROSS JOIN LATERAL (
    SELECT max(t.at) FILTER (WHERE t.event = 'claimed') AS claimed,
      max(t.at) FILTER (WHERE t.event = 'begun') AS begun
    FROM json_to_recordset(s.timeline) AS t (at bigint, event text)
    WHERE s.status = 'executed'
  ) step
  CROSS JOIN LATERAL (
    SELECT measure, ceil(${BUCKETS_PER_DOUBLING} * ln(greatest(ms, 1)::float8) / ln(2::float8))::smallint AS bucket
    FROM (VALUES
      ('latency', extract(epoch FROM s.ended_at) * 1000 - step.claimed),
      ('queue', CASE WHEN step.begun >= step.claimed THEN step.begun - step.claimed END)
    ) AS measured (measure, ms)
    WHERE ms IS NOT NULL
  ) latency`;

/** The middle of a bucket, in whole ms. */
export function msOfBucket(bucket: number): number {
  return Math.round(2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING));
}

/** The first time whose minutes are kept: the beginning of yesterday (UTC). */
export function firstMinuteKept(now: number): number {
  return dayOf(now) - DAY_MS;
}
