import { Inject, Injectable } from '@nestjs/common';
import { auditPool, type CoinStoreRedis, coinStates, readPoolTotals } from '@forecourt/coin-store';
import type { Ledger } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { PoolCorrection } from './pool-correction.js';
import type { Look, UpkeepTask } from './upkeep-task.js';

/** One in this many searches for new coins reads all coins, whatever their number. */
const THOROUGH_EVERY = 60;
const MAX_LOGGED = 20;

/** Compares pools with the ledger: adopts new coins, and reports differences. */
@Injectable()
export class PoolComparison {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly correction: PoolCorrection,
    @Inject(COIN_POOL_CONFIG) private readonly settings: Pick<CoinPoolConfig, 'scanMs'>,
    private readonly metrics: PoolMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get tasks(): readonly UpkeepTask[] {
    return [
      {
        name: 'adopt new coins',
        everyMs: this.settings.scanMs,
        isDue: () => true,
        run: (look) => this.search(look),
        // Transactions of a coin that Redis has lost are counted only once it is known that Redis may have lost writes.
        skipsSuspended: true,
      },
    ];
  }

  private async search({ sponsor, term }: Look): Promise<void> {
    term.searches += 1;
    await this.adoptNewCoins(sponsor, term.searches % THOROUGH_EVERY === 0);
    term.hasAdopted = true;
  }

  /**
   * Adds to the pool the coins that the sponsor owns and the pool lacks: at first all, later new funds. Counts the
   * coins first; reads all of them only when the ledger has more than the pool, or when `thorough`, since as many may
   * have left as have arrived. Returns the number of adopted coins.
   */
  async adoptNewCoins(sponsor: string, thorough = false): Promise<number> {
    const { redis, ledger, logger } = this;
    const { coins } = await readPoolTotals(redis, sponsor);
    const pooled = coinStates.reduce((sum, state) => sum + coins[state], 0n);
    if (!thorough && (await ledger.countGasCoins(sponsor)) <= pooled) return 0;
    let adopted = 0;
    for await (const page of ledger.listGasCoins(sponsor)) {
      adopted += await this.correction.adoptNew(sponsor, page);
    }
    if (adopted > 0) logger.info({ sponsor, adopted }, 'New coins adopted from the ledger');
    return adopted;
  }

  /** Compares a pool with the ledger, coin by coin, and reports the differences as metrics and in the log. */
  async reportDifferences(sponsor: string): Promise<void> {
    const { metrics } = this;
    const { count, isExact } = await this.findDifferences(sponsor);
    metrics.auditDifferences.set({ sponsor }, count);
    const inexact = count === 0 ? 'changing' : 'differs';
    metrics.audits.add({ outcome: isExact ? 'exact' : inexact });
  }

  /** The same without metrics, which only the leader keeps up to date. */
  async findDifferences(sponsor: string): Promise<{ count: number; isExact: boolean }> {
    const { differences, isExact } = await auditPool(this.redis, this.ledger, sponsor);
    const count = differences.length;
    if (count > 0) {
      const first = differences.slice(0, MAX_LOGGED);
      this.logger.error({ sponsor, count, first }, 'Pool differs from the ledger');
    }
    return { count, isExact };
  }
}
