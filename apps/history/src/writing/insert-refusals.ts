import {
  ACCESS_REFUSALS,
  readDecisionFacts,
  type RefusedRequest,
  REFUSALS_DROPPED_KEY,
} from '@forecourt/contracts';
import type { Cell } from '@forecourt/postgres/database';
import type { RedisConnection } from '@forecourt/runtime/redis';
import type { ClientBase } from 'pg';
import { type Database, lockForTransaction } from '../database/database.js';
import { REFUSAL_BITS, REFUSED_WITHIN_MS, RESERVATION_BITS } from '../database/record-ids.js';
import type { RefusalRow } from '../database/tables.js';
import { type DecidedTransaction, insertRecords, type RecordTable } from './insert-records.js';

/** A refused request, with the id of its record. */
export interface IdentifiedRefusal {
  readonly id: string;
  readonly refused: RefusedRequest;
  /** Of the refused transaction. */
  readonly commands: readonly string[];
}

const INSERT_ERRORS = `
  INSERT INTO sponsorship_errors (code, id, token)
  SELECT DISTINCT code, reservation, token FROM staged_refusals
  WHERE abs((id >> ${REFUSAL_BITS}) - (reservation >> ${RESERVATION_BITS})) < ${REFUSED_WITHIN_MS} ORDER BY 1, 2
  ON CONFLICT DO NOTHING`;

const SUM_HOURS = `
  INSERT INTO usage_hourly
  SELECT date_trunc('hour', created_at, 'UTC'), token, coalesce(sponsor, ''), 0, 0, count(*), 0
  FROM staged_refusals GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (hour, token, sponsor) DO UPDATE SET refused = usage_hourly.refused + excluded.refused`;

/** `refused`: selects hour, token and code of each refusal. */
export const sumCodes = (refused: string): string => `
  INSERT INTO refused_hourly
  SELECT hour, token, code, count(*) FROM (${refused}) refused GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (hour, token, code) DO UPDATE SET requests = refused_hourly.requests + excluded.requests`;

const SUM_CODES = sumCodes(`
  SELECT date_trunc('hour', created_at, 'UTC') AS hour, token, code FROM staged_refusals`);

const REFUSALS: RecordTable = {
  name: 'refusals',
  functions: 'refusal_functions',
  statements: [INSERT_ERRORS, SUM_HOURS, SUM_CODES],
};

/** Inserts refused requests and counts them in the usage: see `insertRecords`. */
export function insertRefusals(
  client: ClientBase,
  refusals: readonly IdentifiedRefusal[],
): Promise<number> {
  const records = refusals.map((one) => ({
    columns: columnsOf(one),
    commands: one.commands,
    decided: decisionOf(one),
  }));
  return insertRecords(client, REFUSALS, records);
}

/** Null: the access rules did not refuse it, or a release that keeps no facts recorded it. */
function decisionOf({ id, refused }: IdentifiedRefusal): DecidedTransaction | null {
  const { code, facts, reservation, transaction } = refused;
  const refusal = ACCESS_REFUSALS.find((one) => one === code);
  if (refusal === undefined || readDecisionFacts(facts) === null) return null;
  const decided = { id, refusal, facts, transaction, reservation: reservation || null };
  return { ...decided, endedAt: null, executed: false, counted: '0', gas: '0' };
}

type Columns = Readonly<Record<Exclude<keyof RefusalRow, 'created_at' | 'id' | 'token'>, Cell>>;

function columnsOf({ id, refused }: IdentifiedRefusal): Columns & { id: string; token: string } {
  return {
    id,
    route: refused.route,
    token: refused.token,
    token_user: refused.user || null,
    sponsor: refused.sponsor || null,
    sender: refused.sender || null,
    status: refused.status,
    code: refused.code,
    message: refused.message,
    rule: refused.rule || null,
    digest: refused.digest || null,
    reservation: refused.reservation || null,
    request: refused.request || null,
  };
}

const BEGIN_COUNTERS = `
  INSERT INTO read_counters SELECT name, 0 FROM unnest($1::text[]) name ON CONFLICT DO NOTHING`;

/** A counter that has shrunk has begun anew. */
const COUNT_GROWN = `
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

const NOTE_COUNTERS = `
  UPDATE read_counters SET value = present.value
  FROM unnest($1::text[], $2::bigint[]) AS present (name, value) WHERE read_counters.name = present.name`;

/**
 * Adds to the database what the counters of refused requests have grown by since a replica has last read
 * them. Rejects when Redis or the database does not answer.
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
    await client.query(BEGIN_COUNTERS, [names]);
    await client.query(COUNT_GROWN, [names, values]);
    await client.query(NOTE_COUNTERS, [names, values]);
  });
}
