import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinState,
  type CoinStoreRedis,
  type PoolTotals,
  readPoolTotals,
  readSuspension,
} from '@forecourt/coin-store';
import { startStopwatch } from '@forecourt/runtime/metrics';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import type { MaintenanceOutcome } from './maintenance.service.js';
import type { Look, UpkeepTask } from './upkeep-task.js';
import { MaintenanceFailed } from './maintenance-failed.js';
import { CoinSplitter } from './coin-splitter.js';

const COINS_PER_LANE = 100;
/** Coins in these states can sponsor now or soon. */
const SERVING: readonly CoinState[] = ['available', 'reserved', 'claimed', 'executing'];

/** Keeps pools filled with gas coins. */
@Injectable()
export class PoolFiller {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly splitter: CoinSplitter,
    private readonly signers: Signers,
    @Inject(COIN_POOL_CONFIG)
    private readonly settings: CoinPoolConfig,
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

/** Number of coins that a pool sponsors with. */
export function countServing({ coins }: PoolTotals): number {
  return SERVING.reduce((sum, state) => sum + Number(coins[state]), 0);
}
