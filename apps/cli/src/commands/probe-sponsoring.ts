import type { Pause } from '@forecourt/contracts';
import { callRoute, RouteRefusal } from '../terminal/call-route.js';
import type { Connection } from '../terminal/connection-config.js';
import { listPauses } from './pause.js';

/** Whether a gas station sponsors for a token. */
export interface Sponsoring {
  readonly token: 'none' | 'accepted' | 'refused';
  readonly sponsoring: 'yes' | 'no' | 'not known';
  /** Why not, in the gas station's own words; null: it does. */
  readonly reason: string | null;
  /** All that is paused, if the token has the role operator. */
  readonly paused: readonly Pause[];
}

const SMALLEST = { gas_budget: 1, reserve_duration_secs: 1 };
const TOKEN_REFUSED = 401;

/**
 * Reserves the smallest budget for a second and releases it: nothing else says whether sponsoring works for this very token,
 * which may not be allowed to read pauses. Throws what `callRoute` throws, except for refusals.
 */
export async function probeSponsoring(connection: Connection): Promise<Sponsoring> {
  const unknown = { sponsoring: 'not known', paused: [] } as const;
  if (connection.token === undefined) return { ...unknown, token: 'none', reason: 'no token' };
  const refusal = await tryReservation(connection);
  if (refusal?.status === TOKEN_REFUSED) {
    return { ...unknown, token: 'refused', reason: refusal.message };
  }
  const paused = await readPauses(connection);
  const reason = refusal?.message ?? null;
  return { token: 'accepted', sponsoring: refusal === null ? 'yes' : 'no', reason, paused };
}

/** Null: the reservation was made. */
async function tryReservation(connection: Connection): Promise<RouteRefusal | null> {
  type Reserved = { readonly reservation_id: number };
  try {
    const reserved = await callRoute<Reserved>(connection, 'POST', '/v1/reserve_gas', SMALLEST);
    const { reservation_id } = reserved;
    await callRoute(connection, 'POST', '/v1/release_gas', { reservation_id });
    return null;
  } catch (error) {
    if (error instanceof RouteRefusal) return error;
    throw error;
  }
}

/** None for a token without the role operator. */
async function readPauses(connection: Connection): Promise<readonly Pause[]> {
  try {
    return (await listPauses(connection)).paused;
  } catch (error) {
    if (error instanceof RouteRefusal) return [];
    throw error;
  }
}
