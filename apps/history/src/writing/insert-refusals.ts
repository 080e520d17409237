import type { ClientBase } from 'pg';
import type { RefusedRequest } from '@forecourt/contracts';
import { REFUSAL_BITS, REFUSED_WITHIN_MS, RESERVATION_BITS } from '../database/record-ids.js';
import type { RefusalRow } from '../database/tables.js';
import type { Cell } from '@forecourt/database';
import { insertRecords, type RecordTable } from './insert-records.js';

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

const REFUSALS: RecordTable = {
  name: 'refusals',
  functions: 'refusal_functions',
  statements: [INSERT_ERRORS, SUM_HOURS],
};

/** Inserts refused requests and counts them in the usage: see `insertRecords`. */
export function insertRefusals(
  client: ClientBase,
  refusals: readonly IdentifiedRefusal[],
): Promise<number> {
  const records = refusals.map((one) => ({ columns: columnsOf(one), commands: one.commands }));
  return insertRecords(client, REFUSALS, records);
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
