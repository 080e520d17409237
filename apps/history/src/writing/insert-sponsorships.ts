import type { ClientBase } from 'pg';
import type { Sponsorship } from '@forecourt/contracts';
import type { FoundDecision } from '@forecourt/sponsorship';
import { WITH_LATENCIES } from '../database/latency-buckets.js';
import type { SponsorshipRow } from '../database/tables.js';
import type { Cell } from '@forecourt/postgres/database';
import { REFUSAL_BITS, firstIdAt } from '../database/record-ids.js';
import { type DecidedTransaction, insertRecords, type RecordTable } from './insert-records.js';
import { sumCodes } from './insert-refusals.js';

const FIGURES = `count(*) FILTER (WHERE s.status = 'executed'), count(*) FILTER (WHERE s.outcome = 'failure'),
  sum(s.refused), coalesce(sum(s.gas_net), 0)`;
/** The others would add nothing. */
const USED = `(s.status = 'executed' OR s.refused > 0 OR s.gas_net IS NOT NULL)`;
const addTo = (table: string) => `DO UPDATE SET
  transactions = ${table}.transactions + excluded.transactions, failed = ${table}.failed + excluded.failed,
  refused = ${table}.refused + excluded.refused, gas = ${table}.gas + excluded.gas`;

const INSERT_ERRORS = `
  INSERT INTO sponsorship_errors (code, id, token)
  SELECT DISTINCT r ->> 'code', id, token FROM staged_sponsorships, json_array_elements(refusals) r
  WHERE refused > 0 ORDER BY 1, 2 ON CONFLICT DO NOTHING`;

const SUM_HOURS = `
  INSERT INTO usage_hourly
  SELECT date_trunc('hour', s.created_at, 'UTC'), s.token, s.sponsor, ${FIGURES}
  FROM staged_sponsorships s WHERE ${USED} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (hour, token, sponsor) ${addTo('usage_hourly')}`;

const SUM_DAYS = `
  INSERT INTO usage_daily
  SELECT date_trunc('day', s.created_at, 'UTC'), s.token, coalesce(s.token_user, ''), coalesce(s.sender, ''),
    s.sponsor, ${FIGURES}
  FROM staged_sponsorships s WHERE ${USED} GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (day, token, token_user, sender, sponsor) ${addTo('usage_daily')}`;

const SUM_CALLS = `
  INSERT INTO usage_daily_calls
  SELECT date_trunc('day', s.created_at, 'UTC'), s.token, s.sponsor, coalesce(c.package, ''),
    coalesce(c.function, ''), ${FIGURES}
  FROM staged_sponsorships s LEFT JOIN (
    SELECT id, package, concat_ws('::', package, module, name) AS function FROM staged_sponsorships_calls
    UNION SELECT id, package, '' FROM staged_sponsorships_calls
  ) c USING (id)
  WHERE ${USED} GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (day, token, sponsor, package, function) ${addTo('usage_daily_calls')}`;

const SUM_CODES = sumCodes(`
  SELECT date_trunc('hour', created_at, 'UTC') AS hour, token, r ->> 'code' AS code
  FROM staged_sponsorships, json_array_elements(refusals) r WHERE refused > 0`);

const COUNT_LATENCIES = `
  INSERT INTO latencies
  SELECT units.unit, date_trunc(units.unit, s.created_at, 'UTC'), s.token, latency.measure, latency.bucket, count(*)
  FROM staged_sponsorships s ${WITH_LATENCIES} CROSS JOIN (VALUES ('minute'), ('hour')) units (unit)
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (unit, at, token, measure, bucket) DO UPDATE SET
    transactions = latencies.transactions + excluded.transactions`;

const SPONSORSHIPS: RecordTable = {
  name: 'sponsorships',
  functions: 'sponsorship_functions',
  statements: [INSERT_ERRORS, SUM_HOURS, SUM_DAYS, SUM_CALLS, SUM_CODES, COUNT_LATENCIES],
};

/** Inserts ended sponsorships and adds them to the usage: see `insertRecords`. */
export function insertSponsorships(
  client: ClientBase,
  sponsorships: readonly DecidedSponsorship[],
): Promise<number> {
  const records = sponsorships.map((one) => ({
    columns: columnsOf(one.sponsorship),
    commands: one.sponsorship.commands,
    decided: decidedOf(one),
  }));
  return insertRecords(client, SPONSORSHIPS, records);
}

/** An ended sponsorship, and what is known about the decision that allowed it. */
export interface DecidedSponsorship {
  readonly sponsorship: Sponsorship;
  readonly decision: FoundDecision | null;
  /** Base64; empty: it is not known. */
  readonly transaction: string;
}

function decidedOf(one: DecidedSponsorship): DecidedTransaction | null {
  const { sponsorship, decision, transaction } = one;
  if (decision === null) return null;
  const { reservation_id: reservation, status, gas } = sponsorship;
  return {
    id: String(firstIdAt(decision.claimedAt, REFUSAL_BITS)),
    refusal: null,
    reservation: String(reservation),
    facts: decision.facts,
    transaction,
    endedAt: sponsorship.ended_at,
    executed: status === 'executed',
    counted: gas?.counted || '0',
    gas: gas?.net ?? '0',
  };
}

type Columns = Readonly<Record<Exclude<keyof SponsorshipRow, 'created_at' | 'id' | 'token'>, Cell>>;

function columnsOf(sponsorship: Sponsorship): Columns & { id: string; token: string } {
  const { gas } = sponsorship;
  return {
    id: String(sponsorship.reservation_id),
    ended_at: new Date(sponsorship.ended_at ?? sponsorship.created_at).toISOString(),
    status: sponsorship.status,
    outcome: sponsorship.outcome,
    token: sponsorship.token,
    token_user: sponsorship.user,
    sponsor: sponsorship.sponsor_address,
    sender: sponsorship.sender,
    digest: sponsorship.digest,
    gas_budget: sponsorship.gas_budget,
    reserved_balance: sponsorship.reserved_balance,
    gas_coins: { json: sponsorship.gas_coins },
    gas_computation: gas?.computation ?? null,
    gas_storage: gas?.storage ?? null,
    gas_rebate: gas?.rebate ?? null,
    gas_net: gas?.net ?? null,
    gas_counted: gas?.counted || null,
    commands: sponsorship.commands,
    rule: sponsorship.rule,
    refusals: { json: sponsorship.refusals },
    refused: sponsorship.refusals.length,
    failure: sponsorship.failure,
    attempts: sponsorship.attempts,
    executor: sponsorship.executor,
    request_ids: sponsorship.request_ids,
    trace_id: sponsorship.trace_id,
    timeline: { json: sponsorship.timeline },
    rebuilt: sponsorship.rebuilt,
  };
}
