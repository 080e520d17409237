import { MAX_REFUSALS, type Sponsorship, type SponsorshipRefusal } from '@forecourt/contracts';
import type { Database } from '../database/database.js';
import { firstIdAt, REFUSAL_BITS, REFUSED_WITHIN_MS } from '../database/record-ids.js';

type Refused = Pick<Sponsorship, 'reservation_id' | 'created_at' | 'refusals'>;

/** Adds to sponsorships the executes that gateways have refused; the ledger's refusals they have. */
export async function addGatewayRefusals<T extends Refused>(
  { query }: Database,
  sponsorships: readonly T[],
): Promise<T[]> {
  if (sponsorships.length === 0) return [];
  const times = sponsorships.map(({ created_at: at }) => at);
  const ids = sponsorships.map(({ reservation_id: id }) => String(id));
  const rows = await query
    .selectFrom('refusals')
    .select(['reservation', 'created_at', 'status', 'code', 'message', 'digest'])
    .where('reservation', 'in', ids)
    .where('id', '>=', String(firstIdAt(Math.min(...times), REFUSAL_BITS)))
    .where('id', '<', String(firstIdAt(Math.max(...times) + REFUSED_WITHIN_MS, REFUSAL_BITS)))
    .orderBy('id')
    .execute();
  const refused = Map.groupBy(rows, ({ reservation }) => Number(reservation));
  return sponsorships.map((sponsorship) => {
    const added = refused.get(sponsorship.reservation_id) ?? [];
    if (added.length === 0) return sponsorship;
    const all = [...sponsorship.refusals, ...added.map(toRefusal)];
    return { ...sponsorship, refusals: all.sort((a, b) => a.at - b.at).slice(0, MAX_REFUSALS) };
  });
}

function toRefusal(row: {
  readonly created_at: number;
  readonly status: string;
  readonly code: string;
  readonly message: string;
  readonly digest: string | null;
}): SponsorshipRefusal {
  const { created_at: at, status, code, message, digest } = row;
  return { at, status: Number(status), code, message, digest };
}
