import type { ReservationLimits } from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import { classOf, coveringClassOf } from '../pool/balance-class.js';
import { parseDrain, SponsorDrained } from '../draining/drain.js';
import { readCoinList } from '../pool/coin-record.js';
import { sponsorIndex } from '../pool/sponsor-index.js';
import { escapeText } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** A transaction pays with at most 256 coins; 255 are safe on every node. */
export const MAX_COINS_PER_RESERVATION = 255;

export interface ReserveRequest {
  readonly caller: string;
  /** In the smallest unit, below 2^53. */
  readonly gasBudget: number;
  readonly durationMs: number;
  /** Absent: the caller has none, and is not counted. */
  readonly limits?: ReservationLimits;
  /** Of all users of the caller's token together; of no effect without `limits`. */
  readonly usersLimits?: ReservationLimits;
}

/** A caller has reached a limit on its reservations. */
export interface UsedUp {
  /** `coins`, `budget`, `coins-per-minute`, `budget-per-minute` or `pool-share`; after `all users: ` one of theirs. */
  readonly usedUp: string;
  /** Time until the limit allows more; 0 when that depends on returned coins. */
  readonly endsInMs: number;
}

export interface StoredCoins {
  readonly reservationId: number;
  readonly coins: readonly GasCoin[];
  /** Milliseconds since 1970 by Redis's clock. */
  readonly deadlineMs: number;
}

/**
 * available → reserved, for a whole burst in one call. Each request gets coins that together cover its budget, or
 * null when there are none, or the limit that its caller has reached. Throws `SponsorDrained`, and `Error` when the
 * sponsor has no index and none is left.
 */
export function reserveGas(
  redis: CoinStoreRedis,
  sponsor: string,
  requests: readonly (ReserveRequest & { readonly limits?: undefined })[],
): Promise<(StoredCoins | null)[]>;
export function reserveGas(
  redis: CoinStoreRedis,
  sponsor: string,
  requests: readonly ReserveRequest[],
): Promise<(StoredCoins | UsedUp | null)[]>;
export async function reserveGas(
  redis: CoinStoreRedis,
  sponsor: string,
  requests: readonly ReserveRequest[],
): Promise<(StoredCoins | UsedUp | null)[]> {
  const index = await sponsorIndex(redis, sponsor);
  const args = requests.flatMap(({ caller, gasBudget, durationMs, limits, usersLimits }) => [
    escapeText(caller),
    gasBudget,
    coveringClassOf(BigInt(gasBudget)),
    classOf(BigInt(gasBudget)),
    durationMs,
    writeLimits(limits),
    writeLimits(usersLimits),
  ]);
  const replies = (await runOnPool(
    redis,
    'reserve-gas',
    sponsor,
    index,
    MAX_COINS_PER_RESERVATION,
    ...args,
  )) as ['drained', string] | ([string, string, string?] | null)[];
  if (isDrained(replies)) throw new SponsorDrained(parseDrain(replies[1]));
  return replies.map((reply) => {
    if (reply === null) return null;
    const [first, second, coins] = reply;
    if (coins === undefined) return { usedUp: first, endsInMs: Number(second) };
    return { reservationId: Number(first), deadlineMs: Number(second), coins: readCoinList(coins) };
  });
}

function isDrained(replies: readonly unknown[]): replies is ['drained', string] {
  return replies[0] === 'drained';
}

/**
 * `coins|budget|coins a minute|budget a minute|share in percent`, each empty for none; empty when there are none at
 * all.
 */
function writeLimits(limits: ReservationLimits | undefined): string {
  if (!limits) return '';
  const { coins, budget, coinsPerMinute, budgetPerMinute, poolShare } = limits;
  const share = poolShare === 100 ? null : poolShare;
  const all = [coins, budget, coinsPerMinute, budgetPerMinute, share];
  const written = all.map((limit) => limit ?? '');
  return written.every((limit) => limit === '') ? '' : written.join('|');
}
