import type { PoolTotals } from '@forecourt/coin-store';
import { COIN_STORAGE_COST, MAX_COINS_PER_SPLIT, maintenanceBudget } from '@forecourt/ledger';
import type { MaintenanceDependencies } from './maintenance-dependencies.js';
import type { MaintenanceOutcome } from './maintenance-outcome.js';
import { runMaintenance } from './run-maintenance.js';
import { coinsThatFit } from './split-costs.js';

interface Source {
  readonly from: 'treasury' | 'available';
  /** A smaller coin is not split. */
  readonly atLeast: bigint;
}
const LARGEST_OF_TREASURY: Source = { from: 'treasury', atLeast: 0n };

/** Splits up to `most` coins of `amount` off the largest coin of the source, or as many as it pays for. */
export async function splitOff(
  dependencies: MaintenanceDependencies,
  sponsor: string,
  amount: bigint,
  most: number,
  { from, atLeast } = LARGEST_OF_TREASURY,
): Promise<MaintenanceOutcome> {
  const { ledger } = dependencies;
  const { referenceGasPrice: gasPrice, epoch: expirationEpoch } = await ledger.status();
  const request = { kind: 'split', from, maxCoins: 1 } as const;
  return runMaintenance(dependencies, sponsor, request, async (coins) => {
    const { balance } = coins[0]!;
    const count = coinsThatFit(balance, amount, gasPrice, most);
    if (count === 0 || balance < atLeast) return null;
    const gasBudget = maintenanceBudget(count, gasPrice);
    const split = { sponsor, coins, amount, count, gasPrice, gasBudget, expirationEpoch };
    return { ...(await ledger.buildSplit(split)), amount };
  });
}

/** Splits the largest coin of the treasury into `lanes` that can each make their share. */
export async function splitIntoLanes(
  dependencies: MaintenanceDependencies,
  sponsor: string,
  lanes: number,
  wanted: number,
): Promise<MaintenanceOutcome> {
  const { ledger, settings } = dependencies;
  const { referenceGasPrice: gasPrice } = await ledger.status();
  const share = Math.ceil(wanted / lanes);
  // Enough for its share of coins with their gas, and above the treasury's minimum.
  const needed =
    BigInt(share) * (settings.targetBalance + COIN_STORAGE_COST) +
    maintenanceBudget(0, gasPrice) * BigInt(Math.ceil(share / MAX_COINS_PER_SPLIT));
  const amount =
    needed > dependencies.rules.treasuryFrom ? needed : dependencies.rules.treasuryFrom;
  return splitOff(dependencies, sponsor, amount, lanes - 1);
}

/**
 * For a sponsor with small funds and no treasury: usable coins are split where they are, on average, large enough
 * to make two. Otherwise none is taken away, not even briefly.
 */
export async function splitLargeAvailable(
  dependencies: MaintenanceDependencies,
  sponsor: string,
  { coins, balance }: PoolTotals,
  wanted: number,
): Promise<MaintenanceOutcome> {
  const { ledger, settings } = dependencies;
  const { referenceGasPrice: gasPrice } = await ledger.status();
  const atLeast = 2n * settings.targetBalance + maintenanceBudget(2, gasPrice);
  if (coins.available === 0n || balance.available < coins.available * atLeast) return 'idle';
  return splitOff(dependencies, sponsor, settings.targetBalance, wanted, {
    from: 'available',
    atLeast,
  });
}
