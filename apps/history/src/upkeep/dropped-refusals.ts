import { REFUSALS_DROPPED_KEY } from '@forecourt/contracts';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { type Database, lockForTransaction } from '../database/database.js';

const PREPARE = `
  INSERT INTO read_counters SELECT name, 0 FROM unnest($1::text[]) name ON CONFLICT DO NOTHING`;

/** A counter that has shrunk has begun anew. */
const COUNT = `
  WITH grown AS (
    SELECT p.name, CASE WHEN p.value < r.value THEN p.value ELSE p.value - r.value END AS requests
    FROM unnest($1::text[], $2::bigint[]) AS p (name, value) JOIN read_counters r ON r.name = p.name
  ),
  named AS (
    SELECT date_trunc('hour', now(), 'UTC') AS hour, split_part(name, '|', 1) AS code,
      substr(name, strpos(name, '|') + 1) AS token, requests
    FROM grown WHERE requests > 0
  ),
  counted AS (
    INSERT INTO dropped_refusals (hour, token, code, requests) SELECT hour, token, code, requests FROM named
    ON CONFLICT (hour, token, code) DO UPDATE SET requests = dropped_refusals.requests + excluded.requests
  )
  INSERT INTO usage_hourly
  SELECT hour, token, '', 0, 0, sum(requests), 0 FROM named GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (hour, token, sponsor) DO UPDATE SET refused = usage_hourly.refused + excluded.refused`;

const NOTE = `
  UPDATE read_counters SET value = present.value
  FROM unnest($1::text[], $2::bigint[]) AS present (name, value) WHERE read_counters.name = present.name`;

/**
 * Adds to the database what the counters of refused requests have grown by since a replica has last read them. Rejects when Redis or
 * the database does not answer.
 */
export async function storeDroppedRefusals(
  redis: RedisConnection,
  database: Database,
): Promise<void> {
  await database.transaction(async (client) => {
    // Before reading: another replica must not count with later values meanwhile.
    await lockForTransaction(client, 'counters');
    const counters = Object.entries(await redis.hgetall(REFUSALS_DROPPED_KEY));
    if (counters.length === 0) return;
    const names = counters.map(([name]) => name);
    const values = counters.map(([, value]) => value);
    await client.query(PREPARE, [names]);
    await client.query(COUNT, [names, values]);
    await client.query(NOTE, [names, values]);
  });
}
