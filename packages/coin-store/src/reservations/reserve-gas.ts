import type { GasCoin } from '@forecourt/ledger';
import { classOf, coveringClassOf } from '../pool/balance-class.js';
import { readCoinList } from '../pool/coin-record.js';
import { sponsorIndex } from '../pool/sponsor-index.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** A transaction pays with at most 256 coins; 255 are safe on every node. */
export const MAX_COINS_PER_RESERVATION = 255;

export interface ReserveRequest {
  readonly caller: string;
  /** In the smallest unit, below 2^53. */
  readonly gasBudget: number;
  readonly durationMs: number;
}

export interface StoredCoins {
  readonly reservationId: number;
  readonly coins: readonly GasCoin[];
  /** Milliseconds since 1970 by Redis's clock. */
  readonly deadlineMs: number;
}

/**
 * available → reserved, for a whole burst in one call. Each request gets coins that together cover its budget, or null.
 */
export async function reserveGas(
  redis: CoinStoreRedis,
  sponsor: string,
  requests: readonly ReserveRequest[],
): Promise<(StoredCoins | null)[]> {
  const index = await sponsorIndex(redis, sponsor);
  const args = requests.flatMap(({ caller, gasBudget, durationMs }) => [
    caller,
    gasBudget,
    coveringClassOf(BigInt(gasBudget)),
    classOf(BigInt(gasBudget)),
    durationMs,
  ]);
  const replies = (await runOnPool(
    redis,
    'reserve-gas',
    sponsor,
    index,
    MAX_COINS_PER_RESERVATION,
    ...args,
  )) as ([string, string, string] | null)[];
  return replies.map(
    (reply) =>
      reply && {
        reservationId: Number(reply[0]),
        deadlineMs: Number(reply[1]),
        coins: readCoinList(reply[2]),
      },
  );
}
