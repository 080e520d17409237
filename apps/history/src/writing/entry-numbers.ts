import {
  type CoinStoreRedis,
  type EntryNumber,
  historyStreamKey,
  readEntryNumber,
  readLastNumber,
} from '@forecourt/coin-store';
import type { ClientBase } from 'pg';
import { type Database, lockForTransaction } from '../database/database.js';
import { fieldOf, type StreamEntry } from './entry-source.js';

const NOTE = `
  INSERT INTO entry_numbers AS known (sponsor, era, written)
  SELECT $1, era, range_agg(int8range(number, number, '[]'))
  FROM unnest($2::bigint[], $3::bigint[]) AS given (era, number) GROUP BY era ORDER BY era
  ON CONFLICT (sponsor, era) DO UPDATE SET written = known.written + excluded.written`;

const BEGIN = `
  INSERT INTO entry_numbers (sponsor, era) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

/** Of an earlier era, the highest number that was written is the last one that is known. */
const COUNT_MISSING = `
  WITH expected AS (
    SELECT sponsor, era, int8multirange(int8range(1, CASE era WHEN $2 THEN $3 ELSE upper(written) END)) AS numbers
    FROM entry_numbers WHERE sponsor = $1 AND era <= $2 AND (era = $2 OR NOT isempty(written))
  ), found AS (
    SELECT e.sponsor, e.era, e.numbers, (
      SELECT sum(upper(hole) - lower(hole)) FROM unnest(e.numbers - known.written) AS hole
    ) AS missing
    FROM expected e JOIN entry_numbers known USING (sponsor, era)
  )
  UPDATE entry_numbers known SET missing = known.missing + found.missing,
    written = known.written + found.numbers
  FROM found WHERE known.sponsor = found.sponsor AND known.era = found.era AND found.missing > 0
  RETURNING found.missing::text`;

/** Notes, in the transaction that writes entries, that they are written. */
export async function noteEntryNumbers(
  client: ClientBase,
  sponsor: string,
  entries: readonly StreamEntry[],
): Promise<void> {
  const numbers = entries.flatMap(({ pairs }) => readEntryNumber(fieldOf(pairs, 'n')) ?? []);
  if (numbers.length === 0) return;
  await client.query(NOTE, [
    sponsor,
    numbers.map(({ era }) => era),
    numbers.map(({ number }) => number),
  ]);
}

/**
 * Counts the entries of a sponsor's stream that were deleted before they were written. Returns how many it
 * has found. Rejects when Redis or the database does not answer.
 */
export async function countMissingEntries(
  redis: CoinStoreRedis,
  database: Database,
  sponsor: string,
): Promise<number> {
  // Entries leave the stream after they are written: the database is read last.
  const next = await findNextNumber(redis, sponsor);
  if (next === null) return 0;
  return database.transaction(async (client) => {
    // Two replicas that find the same entries missing would add them twice.
    await lockForTransaction(client, 'counters');
    await client.query(BEGIN, [sponsor, next.era]);
    const { rows } = await client.query<{ missing: string }>(COUNT_MISSING, [
      sponsor,
      next.era,
      next.number,
    ]);
    return rows.reduce((sum, { missing }) => sum + Number(missing), 0);
  });
}

/**
 * The first number that is still in the stream, or not given to an entry yet; null: it cannot be known now.
 */
async function findNextNumber(redis: CoinStoreRedis, sponsor: string): Promise<EntryNumber | null> {
  // Before the stream: an entry that is added meanwhile has a higher number.
  const last = await readLastNumber(redis, sponsor);
  const [oldest] = await redis.xrange(historyStreamKey(sponsor), '-', '+', 'COUNT', 1);
  if (oldest !== undefined) return readEntryNumber(fieldOf(oldest[1], 'n'));
  return last === null ? null : { era: last.era, number: last.number + 1 };
}
