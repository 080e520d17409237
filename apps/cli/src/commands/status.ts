import type { Pause } from '@forecourt/contracts';
import { Command } from 'commander';
import { GasStation } from '@forecourt/client';
import { callRoute, requireGasStation } from '../terminal/call-route.js';
import { RouteRefusal } from '../terminal/route-refusal.js';
import { type Connection, readConnection } from '../terminal/connection-config.js';
import { listPauses, formatPauses } from './pause.js';
import { EXIT } from '../terminal/exit-codes.js';
import { formatJson, formatTable } from '../terminal/format-table.js';

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
 * Reserves the smallest budget for a second and releases it: nothing else says whether sponsoring works for
 * this very token, which may not be allowed to read pauses. Throws what `callRoute` throws, except for
 * refusals.
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

const ANSWER_MS = 5_000;

/** `status`: whether a gas station answers, which version it is, and whether it sponsors for the token. */
export function statusCommand(): Command {
  return new Command('status')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `
Reserves the smallest budget for a second and releases it. Shows all pauses to a token with the role operator.

Exit code 0: it sponsors, or no token is given; 1: it refuses the token or does not sponsor now; 2: it does not answer.`,
    )
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const connection = readConnection();
      const { url } = connection;
      await requireGasStation(connection);
      const { version } = await new GasStation({ url, timeoutMs: ANSWER_MS }).status();
      const { token, sponsoring, reason, paused } = await probeSponsoring(connection);
      if (token === 'refused' || sponsoring === 'no') process.exitCode = EXIT.negative;
      if (json) return console.log(formatJson({ url, version, token, sponsoring, reason, paused }));
      const because = reason === null ? '' : `: ${reason}`;
      console.log(
        formatTable([
          ['gas station', url],
          ['version', version],
          ['token', token === 'none' ? 'none: set FORECOURT_TOKEN' : token],
          ['sponsoring', `${sponsoring}${because}`],
        ]),
      );
      if (paused.length > 0) console.log(`\n${formatPauses(paused)}`);
    });
}
