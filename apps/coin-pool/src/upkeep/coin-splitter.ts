import { Inject, Injectable } from '@nestjs/common';
import { placementRules, type PoolTotals } from '@forecourt/coin-store';
import {
  COIN_STORAGE_COST,
  type Ledger,
  MAX_COINS_PER_SPLIT,
  maintenanceBudget,
} from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { type MaintenanceOutcome, MaintenanceService } from './maintenance.service.js';

interface Source {
  readonly from: 'treasury' | 'available';
  /** A smaller coin is not split. */
  readonly atLeast: bigint;
}
const LARGEST_OF_TREASURY: Source = { from: 'treasury', atLeast: 0n };

/** Makes gas coins out of larger coins. */
@Injectable()
export class CoinSplitter {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly maintenance: MaintenanceService,
    @Inject(COIN_POOL_CONFIG) private readonly settings: CoinPoolConfig,
  ) {}

  /** Splits up to `most` coins of `amount` off the largest coin of the source, or as many as it pays for. */
  async splitOff(
    sponsor: string,
    amount: bigint,
    most: number,
    { from, atLeast } = LARGEST_OF_TREASURY,
  ): Promise<MaintenanceOutcome> {
    const { referenceGasPrice: gasPrice, epoch: expirationEpoch } = await this.ledger.status();
    const request = { kind: 'split', from, maxCoins: 1 } as const;
    return this.maintenance.run(sponsor, request, async (coins) => {
      const { balance } = coins[0]!;
      const count = coinsThatFit(balance, amount, gasPrice, most);
      if (count === 0 || balance < atLeast) return null;
      const gasBudget = maintenanceBudget(count, gasPrice);
      const split = { sponsor, coins, amount, count, gasPrice, gasBudget, expirationEpoch };
      return { ...(await this.ledger.buildSplit(split)), amount };
    });
  }

  /** Splits the largest coin of the treasury into `lanes` that can each make their share. */
  async splitIntoLanes(
    sponsor: string,
    lanes: number,
    wanted: number,
  ): Promise<MaintenanceOutcome> {
    const { targetBalance } = this.settings;
    const { treasuryFrom } = placementRules(targetBalance);
    const { referenceGasPrice: gasPrice } = await this.ledger.status();
    const share = Math.ceil(wanted / lanes);
    // Enough for its share of coins with their gas, and above the treasury's minimum.
    const needed =
      BigInt(share) * (targetBalance + COIN_STORAGE_COST) +
      maintenanceBudget(0, gasPrice) * BigInt(Math.ceil(share / MAX_COINS_PER_SPLIT));
    return this.splitOff(sponsor, needed > treasuryFrom ? needed : treasuryFrom, lanes - 1);
  }

  /**
   * For a sponsor with small funds and no treasury: usable coins are split where they are, on average, large
   * enough to make two. Otherwise none is taken away, not even briefly.
   */
  async splitLargeAvailable(
    sponsor: string,
    { coins, balance }: PoolTotals,
    wanted: number,
  ): Promise<MaintenanceOutcome> {
    const { targetBalance } = this.settings;
    const { referenceGasPrice: gasPrice } = await this.ledger.status();
    const atLeast = 2n * targetBalance + maintenanceBudget(2, gasPrice);
    if (coins.available === 0n || balance.available < coins.available * atLeast) return 'idle';
    return this.splitOff(sponsor, targetBalance, wanted, { from: 'available', atLeast });
  }
}

/**
 * Number of coins of `amount` that a balance makes after its gas, at most `most` and the limit of one
 * transaction.
 */
export function coinsThatFit(
  balance: bigint,
  amount: bigint,
  gasPrice: bigint,
  most: number,
): number {
  const afterFixed = balance - maintenanceBudget(0, gasPrice);
  if (afterFixed <= 0n) return 0;
  const fit = afterFixed / (amount + COIN_STORAGE_COST);
  const limit = BigInt(Math.min(most, MAX_COINS_PER_SPLIT));
  return Number(fit < limit ? fit : limit);
}
