import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  MAX_COINS_PER_RESERVATION,
  type PoolTotals,
  readPoolTotals,
} from '@forecourt/coin-store';
import { type Ledger, maintenanceBudget } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { MaintenanceService } from './maintenance.service.js';
import type { UpkeepTask } from './upkeep-task.js';
import { MaintenanceFailed } from './maintenance-failed.js';
import { countServing } from './pool-filler.js';

/** Merges coins that are too small to sponsor with. */
@Injectable()
export class DustConsolidator {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly maintenance: MaintenanceService,
    private readonly signers: Signers,
    @Inject(COIN_POOL_CONFIG)
    private readonly settings: CoinPoolConfig,
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
