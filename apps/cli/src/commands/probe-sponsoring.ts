import type { Pause } from '@forecourt/contracts';
import { callRoute, RouteRefusal } from '../terminal/call-route.js';
import type { Connection } from '../terminal/connection-config.js';
import { listPauses } from './pause.js';

/** Whether a gas station sponsors for a token. */
export interface Sponsoring {
  readonly token: 'none' | 'accepted' | 'refused';
  readonly sponsoring: 'yes' | 'no' | 'not known';
  /** The gas station's own words, or what is missing to know it. */
  readonly reason: string | null;
  /** All that is paused, if the token may read it. */
  readonly paused: readonly Pause[];
}

const UNKNOWN = { sponsoring: 'not known', paused: [] } as const;
const SMALLEST = { gas_budget: 1, reserve_duration_secs: 1 };
const REFUSED = 401;
const FORBIDDEN = 403;

/** Throws what `callRoute` throws, except for refusals. */
export async function probeSponsoring(connection: Connection): Promise<Sponsoring> {
  if (connection.token === undefined) return { ...UNKNOWN, token: 'none', reason: 'no token' };
  try {
    const { paused } = await listPauses(connection);
    const all = paused.find(({ scope }) => scope === 'everything');
    if (all)
      return { token: 'accepted', sponsoring: 'no', reason: `paused: ${all.reason}`, paused };
    return { token: 'accepted', sponsoring: 'yes', reason: null, paused };
  } catch (error) {
    if (!(error instanceof RouteRefusal)) throw error;
    const { status, message: reason } = error;
    if (status === REFUSED) return { ...UNKNOWN, token: 'refused', reason };
    if (status !== FORBIDDEN) return { ...UNKNOWN, token: 'accepted', reason };
  }
  return tryReservation(connection);
}

async function tryReservation(connection: Connection): Promise<Sponsoring> {
  type Reserved = { readonly reservation_id: number };
  const common = { token: 'accepted', paused: [] } as const;
  try {
    const reserved = await callRoute<Reserved>(connection, 'POST', '/v1/reserve_gas', SMALLEST);
    const { reservation_id } = reserved;
    await callRoute(connection, 'POST', '/v1/release_gas', { reservation_id });
    return { ...common, sponsoring: 'yes', reason: null };
  } catch (error) {
    if (!(error instanceof RouteRefusal)) throw error;
    return { ...common, sponsoring: 'no', reason: error.message };
  }
}
