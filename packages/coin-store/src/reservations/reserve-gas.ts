import { escapeText, type ReservationLimits } from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import { parseDrain } from '../pool/drains.js';
import { SponsorDrained } from '../pool/sponsor-drained.js';
import { classOf, coveringClassOf } from '../pool/coin-classes.js';
import { readCoinList } from '../pool/stored-coins.js';
import { sponsorIndex } from '../pool/sponsor-registry.js';
import { type CoinStoreRedis, runScript } from '../scripts/run-script.js';

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
  /**
   * `coins`, `budget`, `coins-per-minute`, `budget-per-minute`, `unused-per-minute` or `pool-share`; after
   * `all users: ` one of theirs.
   */
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
 * available → reserved, for a whole burst in one call. Each request gets coins that together cover its
 * budget, or null when there are none, or the limit that its caller has reached. Throws `SponsorDrained`, and
 * `Error` when the sponsor has no index and none is left. `historyBacklog`: see `openPool`.
 */
export function reserveGas(
  redis: CoinStoreRedis,
  sponsor: string,
  requests: readonly (ReserveRequest & { readonly limits?: undefined })[],
  historyBacklog?: number | null,
): Promise<(StoredCoins | null)[]>;
export function reserveGas(
  redis: CoinStoreRedis,
  sponsor: string,
  requests: readonly ReserveRequest[],
  historyBacklog?: number | null,
): Promise<(StoredCoins | UsedUp | null)[]>;
export async function reserveGas(
  redis: CoinStoreRedis,
  sponsor: string,
  requests: readonly ReserveRequest[],
  historyBacklog: number | null = null,
): Promise<(StoredCoins | UsedUp | null)[]> {
  const index = await sponsorIndex(redis, sponsor);
  const args = writeRequests(requests);
  const replies = (await runScript(
    redis,
    'reserve-gas',
    sponsor,
    index,
    MAX_COINS_PER_RESERVATION,
    historyBacklog || '',
    ...args,
  )) as ReserveReply[];
  return replies.map(readReserved);
}

type ReserveReply =
  | [tag: 'drained', drain: string]
  | [tag: 'empty']
  | [tag: 'limited', limit: string, endsInMs: string]
  | [tag: 'reserved', reservationId: string, deadlineMs: string, coins: string];

function readReserved(reply: ReserveReply): StoredCoins | UsedUp | null {
  switch (reply[0]) {
    case 'drained':
      throw new SponsorDrained(parseDrain(reply[1]));
    case 'empty':
      return null;
    case 'limited':
      return { usedUp: reply[1], endsInMs: Number(reply[2]) };
    case 'reserved': {
      const [, id, deadlineMs, coins] = reply;
      return {
        reservationId: Number(id),
        deadlineMs: Number(deadlineMs),
        coins: readCoinList(coins),
      };
    }
  }
}

function writeRequests(requests: readonly ReserveRequest[]): (string | number)[] {
  let alike = 0;
  let following: number | null = null;
  const written = requests.toReversed().map((request) => {
    const budget = BigInt(request.gasBudget);
    const sureClass = coveringClassOf(budget);
    alike = sureClass === following ? alike + 1 : 1;
    following = sureClass;
    return [
      escapeText(request.caller),
      request.gasBudget,
      sureClass,
      alike,
      classOf(budget),
      request.durationMs,
      writeLimits(request.limits),
      writeLimits(request.usersLimits),
    ];
  });
  return written.toReversed().flat();
}

/**
 * `coins|budget|coins a minute|budget a minute|share in percent|unused reservations a minute`, each empty for
 * none; empty when there are none at all.
 */
function writeLimits(limits: ReservationLimits | undefined): string {
  if (!limits) return '';
  const { coins, budget, coinsPerMinute, budgetPerMinute, poolShare, unusedPerMinute } = limits;
  const share = poolShare === 100 ? null : poolShare;
  const all = [coins, budget, coinsPerMinute, budgetPerMinute, share, unusedPerMinute];
  const written = all.map((limit) => limit ?? '');
  return written.every((limit) => limit === '') ? '' : written.join('|');
}
