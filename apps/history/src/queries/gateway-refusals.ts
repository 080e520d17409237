import { MAX_REFUSALS, type Sponsorship, type SponsorshipRefusal } from '@forecourt/contracts';
import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import { REFUSAL_BITS, REFUSED_WITHIN_MS, RESERVATION_BITS } from '../database/record-ids.js';
import type { RefusalRow } from '../database/tables.js';
import { idsOf, within } from './id-range.js';

type Refused = Pick<Sponsorship, 'reservation_id' | 'created_at' | 'refusals'>;
type Row = Pick<RefusalRow, 'status' | 'code' | 'message' | 'digest'> & {
  readonly reservation: string;
  readonly created_at: number;
};

/** Adds to sponsorships the executes that gateways have refused; the ledger's refusals they have. */
export async function addGatewayRefusals<T extends Refused>(
  database: Database,
  sponsorships: readonly T[],
): Promise<T[]> {
  if (sponsorships.length === 0) return [];
  const refused = Map.groupBy(await findRefusals(database, sponsorships), (row) =>
    Number(row.reservation),
  );
  return sponsorships.map((sponsorship) => {
    const added = refused.get(sponsorship.reservation_id) ?? [];
    if (added.length === 0) return sponsorship;
    const all = [...sponsorship.refusals, ...added.map(toRefusal)];
    return { ...sponsorship, refusals: all.sort((a, b) => a.at - b.at).slice(0, MAX_REFUSALS) };
  });
}

/** The first of each: a caller can have thousands. */
async function findRefusals(
  { query }: Database,
  sponsorships: readonly Refused[],
): Promise<readonly Row[]> {
  const times = sponsorships.map(({ created_at: at }) => at);
  const all = idsOf(
    { from: Math.min(...times) - REFUSED_WITHIN_MS, to: Math.max(...times) + REFUSED_WITHIN_MS },
    REFUSAL_BITS,
  );
  const ids = sponsorships.map(({ reservation_id: id }) => String(id));
  // The id that a refusal would have at the time of the reservation.
  const since = sql.raw(`((k.id >> ${RESERVATION_BITS}) << ${REFUSAL_BITS})`);
  const length = sql.raw(`(${REFUSED_WITHIN_MS}::bigint << ${REFUSAL_BITS})`);
  const { rows } = await sql<Row>`
    SELECT k.id AS reservation, found.created_at, found.status, found.code, found.message, found.digest
    FROM unnest(${ids}::bigint[]) AS k (id)
    CROSS JOIN LATERAL (
      SELECT r.* FROM refusals r
      WHERE r.reservation = k.id AND r.id > ${since} - ${length} AND r.id < ${since} + ${length}
        AND ${within('r.id', all)}
      ORDER BY r.id LIMIT ${MAX_REFUSALS}
    ) found
  `.execute(query);
  return rows;
}

function toRefusal({ created_at: at, status, code, message, digest }: Row): SponsorshipRefusal {
  return { at, status: Number(status), code, message, digest };
}
