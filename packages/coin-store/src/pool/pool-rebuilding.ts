import type { GasCoin } from '@forecourt/ledger';
import type { PlacementRules } from './placement-rules.js';
import { writeCoins } from './stored-coins.js';
import { type CoinStoreRedis, listOf, runScript } from '../scripts/run-script.js';

export interface PoolRebuilding {
  /** The ledger's current epoch. */
  readonly epoch: bigint;
  /** Whether coins in no state are placed: only while the pool is suspended. */
  readonly placesCoins: boolean;
  /** Reservations that the pool's indexes may lack. */
  readonly reservationIds: readonly number[];
  /** Ids of coins that are no longer the sponsor's. */
  readonly gone: readonly string[];
  /** Coins at their versions on the ledger. */
  readonly coins: readonly GasCoin[];
  readonly rules: PlacementRules;
}

export interface RebuiltPool {
  readonly placed: number;
  /** Total number, including earlier calls. */
  readonly withheld: number;
  readonly isWhole: boolean;
}

/**
 * Rebuilds the lost parts of a pool from the remaining ones and from the ledger. A coin that a lost
 * transaction may have been signed for is withheld until `renewCoin` corrects it or the epoch is over.
 */
export async function rebuildPool(
  redis: CoinStoreRedis,
  sponsor: string,
  { epoch, placesCoins, reservationIds, gone, coins, rules }: PoolRebuilding,
): Promise<RebuiltPool> {
  const [placed, withheld, isWhole] = (await runScript(
    redis,
    'rebuild-pool',
    sponsor,
    String(epoch),
    Number(placesCoins),
    ...listOf(reservationIds),
    ...listOf(gone),
    ...writeCoins(coins, rules).flat(),
  )) as [number, number, number];
  return { placed, withheld, isWhole: isWhole === 1 };
}
