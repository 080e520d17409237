import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinState,
  type CoinStoreRedis,
  MAX_COINS_PER_RESERVATION,
  placementRules,
  type PoolTotals,
  readPoolTotals,
  readSuspension,
} from '@forecourt/coin-store';
import {
  COIN_STORAGE_COST,
  type Ledger,
  MAX_COINS_PER_SPLIT,
  maintenanceBudget,
} from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { startStopwatch } from '@forecourt/runtime/metrics';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { type MaintenanceOutcome, MaintenanceService } from './maintenance.service.js';
import { type Look, MaintenanceFailed, type UpkeepTask } from './upkeep-task.js';

const COINS_PER_LANE = 100;
/** Coins in these states can sponsor now or soon. */
const SERVING: readonly CoinState[] = ['available', 'reserved', 'claimed', 'executing'];

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
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'buildSplit' | 'status'>,
    private readonly maintenance: MaintenanceService,
    @Inject(COIN_POOL_CONFIG) private readonly settings: Pick<CoinPoolConfig, 'targetBalance'>,
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

/** Keeps pools filled with gas coins. */
@Injectable()
export class PoolFiller {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly splitter: CoinSplitter,
    @Inject(Signers) private readonly signers: Pick<Signers, 'isConfigured'>,
    @Inject(COIN_POOL_CONFIG)
    private readonly settings: Pick<
      CoinPoolConfig,
      'minCoins' | 'minFreeShare' | 'splitConcurrency' | 'targetBalance' | 'targetCoins'
    >,
    private readonly metrics: PoolMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get tasks(): readonly UpkeepTask[] {
    return [
      {
        name: 'fill',
        everyMs: 1_000,
        isDue: ({ totals, term }) =>
          (term.hasAdopted || totals.coins.treasury > 0n) &&
          (!term.isFilled ||
            countServing(totals) < this.wantedCoins(totals, this.settings.minCoins)),
        run: (look) => this.fillInTerm(look),
        skipsSuspended: true,
      },
    ];
  }

  /**
   * A new leader fills the pool to its target; after that it is filled again when it is below the minimum.
   * The pool of a drained sponsor, or of one without a key, is as full as it should be.
   */
  private async fillInTerm({ sponsor, isDrained, term, stopped }: Look): Promise<void> {
    const { minCoins, targetCoins } = this.settings;
    const isServing = this.signers.isConfigured(sponsor) && !isDrained;
    const threshold = term.isFilled ? minCoins : targetCoins;
    const isComplete = !isServing || (await this.fill(sponsor, threshold, stopped));
    if (isComplete && term.hasAdopted) term.isFilled = true;
  }

  /**
   * Splits the treasury until the pool has its target number of coins: first one large coin into a few, which
   * can then be split concurrently. Starts when the pool is below `threshold` coins, or when too few are
   * free. True: the target is reached, or no coin is left to split. Throws `MaintenanceFailed`.
   */
  async fill(sponsor: string, threshold: number, stopped: AbortSignal): Promise<boolean> {
    const { refills } = this.metrics;
    const totals = await readPoolTotals(this.redis, sponsor);
    const goal = this.wantedCoins(totals, threshold);
    if (countServing(totals) >= goal) return countServing(totals) >= this.settings.targetCoins;
    try {
      const { coins, isComplete } = await this.refill(sponsor, totals, goal, stopped);
      const outcome = isComplete ? 'short' : 'unfinished';
      refills.add({ outcome: coins >= goal ? 'filled' : outcome });
      return isComplete;
    } catch (error) {
      refills.add({ outcome: 'failed' });
      throw error;
    }
  }

  /**
   * Target number of usable coins. Reserved coins count too, but a pool whose coins are nearly all reserved
   * gets more, up to twice its target, so that a caller who hoards coins does not exhaust the pool for
   * others.
   */
  private wantedCoins(totals: PoolTotals, threshold: number): number {
    const { targetCoins, minFreeShare } = this.settings;
    const serving = countServing(totals);
    const free = Number(totals.coins.available);
    if (free * 100 < targetCoins * minFreeShare) {
      return Math.min(2 * targetCoins, serving + targetCoins - free);
    }
    return serving < threshold ? targetCoins : 0;
  }

  /**
   * `coins`: number of usable coins now. `isComplete`: the target is reached, or no more coins can be made.
   */
  private async refill(
    sponsor: string,
    found: PoolTotals,
    goal: number,
    stopped: AbortSignal,
  ): Promise<{ readonly coins: number; readonly isComplete: boolean }> {
    const { redis, logger } = this;
    const before = countServing(found);
    let totals = found;
    const seconds = startStopwatch();
    while (countServing(totals) < goal && !stopped.aborted) {
      const outcomes = await this.splitSideBySide(sponsor, totals, goal);
      if (outcomes.includes('failed')) throw new MaintenanceFailed('Coins could not be split');
      totals = await readPoolTotals(redis, sponsor);
      const coins = countServing(totals);
      if (!outcomes.includes('made')) {
        const isInterrupted =
          outcomes.includes('overtaken') || (await readSuspension(redis, sponsor)) !== null;
        return { coins, isComplete: totals.coins.maintenance === 0n && !isInterrupted };
      }
      const coinsPerSecond = Math.round((coins - before) / seconds());
      logger.info({ sponsor, coins, target: goal, coinsPerSecond }, 'Pool being filled');
    }
    const coins = countServing(totals);
    return { coins, isComplete: coins >= goal };
  }

  /** One round of concurrent splits. */
  private async splitSideBySide(
    sponsor: string,
    totals: PoolTotals,
    goal: number,
  ): Promise<MaintenanceOutcome[]> {
    const { splitter } = this;
    const { splitConcurrency, targetBalance } = this.settings;
    const wanted = goal - countServing(totals);
    const sources = Number(totals.coins.treasury);
    const lanes = Math.min(splitConcurrency, Math.ceil(wanted / COINS_PER_LANE));
    if (sources === 0) return [await splitter.splitLargeAvailable(sponsor, totals, wanted)];
    if (sources < lanes) {
      const outcome = await splitter.splitIntoLanes(sponsor, lanes, wanted);
      if (outcome !== 'idle') return [outcome];
    }
    const splits = Math.min(sources, lanes);
    const each = Math.ceil(wanted / splits);
    const split = () => splitter.splitOff(sponsor, targetBalance, each);
    return Promise.all(Array.from({ length: splits }, split));
  }
}

/** Merges coins that are too small to sponsor with. */
@Injectable()
export class DustConsolidator {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'buildConsolidation' | 'status'>,
    private readonly maintenance: MaintenanceService,
    @Inject(Signers) private readonly signers: Pick<Signers, 'isConfigured'>,
    @Inject(COIN_POOL_CONFIG)
    private readonly settings: Pick<CoinPoolConfig, 'consolidateAt' | 'minCoins' | 'targetBalance'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get tasks(): readonly UpkeepTask[] {
    return [
      {
        name: 'consolidate dust',
        everyMs: 1_000,
        isDue: ({ totals }) => this.isDustEnough(totals),
        // The store begins nothing for a drained sponsor.
        run: async ({ sponsor }) => this.signers.isConfigured(sponsor) && this.consolidate(sponsor),
        skipsSuspended: true,
      },
    ];
  }

  /** Consolidates dust into one coin once there is enough of it. Throws `MaintenanceFailed`. */
  async consolidate(sponsor: string): Promise<void> {
    const totals = await readPoolTotals(this.redis, sponsor);
    if (!this.isDustEnough(totals)) return;
    const { referenceGasPrice: gasPrice, epoch: expirationEpoch } = await this.ledger.status();
    const gasBudget = maintenanceBudget(0, gasPrice);
    const request = { kind: 'fold', from: 'dust', maxCoins: MAX_COINS_PER_RESERVATION } as const;
    const outcome = await this.maintenance.run(sponsor, request, async (coins) => {
      const sum = coins.reduce((total, coin) => total + coin.balance, 0n);
      if (coins.length < 2 || sum < gasBudget) return null;
      const consolidation = { sponsor, coins, gasPrice, gasBudget, expirationEpoch };
      return { ...(await this.ledger.buildConsolidation(consolidation)), amount: 0n };
    });
    if (outcome === 'failed') throw new MaintenanceFailed('Dust could not be consolidated');
    if (outcome !== 'made') return;
    this.logger.info({ sponsor, dust: Number(totals.coins.dust) }, 'Dust consolidated');
  }

  /** Less is enough when the pool is low and the dust makes a coin large enough to sponsor with. */
  private isDustEnough(totals: PoolTotals): boolean {
    const { consolidateAt, minCoins, targetBalance } = this.settings;
    const { coins, balance } = totals;
    const isLow = countServing(totals) < minCoins;
    const helps = coins.dust > 1n && balance.dust >= targetBalance;
    return coins.dust >= consolidateAt || (isLow && helps);
  }
}

/** Number of coins that a pool sponsors with. */
export function countServing({ coins }: PoolTotals): number {
  return SERVING.reduce((sum, state) => sum + Number(coins[state]), 0);
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
