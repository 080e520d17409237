import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetResponse } from '@forecourt/contracts';

/** A coin-pool on a busy network takes this long to split the first coins, beyond a suspension. */
const TIMEOUT_MS = 90_000;
const LOOK_EVERY_MS = 250;
/** The pool of a new ledger has its first coin within this time, which is not worth a line. */
const QUIET_MS = 2_000;

type Sponsors = FleetResponse['result']['sponsors'];

export interface FirstCoinOptions {
  readonly gatewayUrl: string;
  readonly token: string;
  readonly say: (text: string) => void;
  readonly stop: AbortSignal;
}

/**
 * Waits until a coin can be reserved, and says what it waits for: services are ready before the pool of a new
 * ledger has its first coin, and the pool of an earlier start is compared with the ledger first. Reserves
 * nothing, so that no refusal is recorded. Throws `Error` when no coin has come in time, or the gateway
 * refuses to show the fleet, and the reason of `stop`.
 */
export async function awaitFirstCoin(options: FirstCoinOptions): Promise<void> {
  const begunAt = performance.now();
  let waited = 0;
  let said = '';
  for (;;) {
    const sponsors = await readSponsors(options);
    const missing = describeMissing(sponsors);
    if (missing === null) return;
    if (!sponsors.some(isSuspended)) waited += LOOK_EVERY_MS;
    if (waited > TIMEOUT_MS) throw new Error(`no coin can be reserved: ${missing}`);
    if (missing !== said && performance.now() - begunAt > QUIET_MS) {
      options.say(missing);
      said = missing;
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal: options.stop }).catch(() => undefined);
    options.stop.throwIfAborted();
  }
}

async function readSponsors({ gatewayUrl, token, stop }: FirstCoinOptions): Promise<Sponsors> {
  const response = await fetch(`${gatewayUrl}/v1/fleet`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop,
  });
  const { result, error } = (await response.json()) as Partial<FleetResponse> & { error?: string };
  if (result === undefined) throw new Error(error ?? `the gateway answers ${response.status}`);
  return result.sponsors;
}

const isSuspended = ({ suspended_secs: seconds }: Sponsors[number]) => (seconds ?? 0) > 0;

/** Null: a coin can be reserved. */
function describeMissing(sponsors: Sponsors): string | null {
  const usable = sponsors.filter((one) => !isSuspended(one));
  if (usable.some(({ coins }) => (coins['available']?.coins ?? 0) > 0)) return null;
  const seconds = sponsors.map(({ suspended_secs: left }) => left ?? 0).filter((left) => left > 0);
  if (seconds.length === 0) return 'waiting for the first coin of the sponsor';
  const end = new Date(Date.now() + Math.min(...seconds) * 1_000);
  // To the minute, so that rounding does not make a second line.
  return `Redis has been started anew: no coin is used before all are compared with the ledger, about ${end.toTimeString().slice(0, 5)}`;
}
