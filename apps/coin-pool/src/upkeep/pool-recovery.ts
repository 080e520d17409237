import { Inject, Injectable } from '@nestjs/common';
import {
  auditPool,
  type CoinStoreRedis,
  endSuspension,
  listMaintenance,
  noteSpending,
  placementRules,
  readPoolTotals,
  readSuspension,
  rebuildPool,
  snapshotPool,
  suspendPool,
} from '@forecourt/coin-store';
import type { Reconciliation } from '@forecourt/contracts';
import { compareCoins, findGasCoins, type GasCoin, type Ledger } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { PoolCorrection } from './pool-correction.js';
import { ReservationSweeper } from './reservation-sweeper.js';
import type { Look, UpkeepTask } from './upkeep-task.js';
import { MaintenanceFailed } from './maintenance-failed.js';

const MAX_LOGGED = 20;

/** Coins of a pool as the ledger shows them. */
interface FoundCoins {
  readonly epoch: bigint;
  readonly coins: readonly GasCoin[];
  /** Ids of coins that are no longer the sponsor's. */
  readonly gone: readonly string[];
  readonly placesCoins: boolean;
}

/**
 * Repairs pools of which Redis has lost writes. Such a pool is suspended, rebuilt from the ledger and
 * compared with it before it serves again.
 */
@Injectable()
export class PoolRecovery {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly correction: PoolCorrection,
    private readonly sweeper: ReservationSweeper,
    @Inject(COIN_POOL_CONFIG)
    private readonly settings: CoinPoolConfig,
    private readonly metrics: PoolMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get tasks(): readonly UpkeepTask[] {
    const { redis } = this;
    const { auditMs } = this.settings;
    return [
      {
        name: 'end suspension',
        everyMs: 500,
        isDue: ({ suspendedMs }) => suspendedMs === 0,
        run: ({ sponsor }) => this.endSuspension(sponsor),
      },
      {
        // The counts of coins are compared at each look, the whole pool when they disagree and once in each
        // term.
        name: 'look for lost keys',
        everyMs: 1_000,
        isDue: ({ isWhole, suspendedMs, term }) =>
          suspendedMs === null && (!isWhole || !term.isExamined),
        run: async ({ sponsor, term }) => {
          await this.suspendIfIncomplete(sponsor);
          term.isExamined = true;
        },
      },
      {
        name: 'return withheld coins',
        everyMs: 10_000,
        isDue: ({ suspendedMs, totals }) => suspendedMs === null && totals.coins.maintenance > 0n,
        run: ({ sponsor }) => this.returnWithheld(sponsor),
      },
      {
        name: 'note spending',
        everyMs: 60_000,
        isDue: () => true,
        run: ({ sponsor }) => noteSpending(redis, sponsor),
      },
      {
        name: 'audit',
        everyMs: auditMs,
        isDue: () => auditMs > 0,
        run: (look) => this.audit(look),
      },
    ];
  }

  /**
   * Compares a pool with the ledger, coin by coin, and reports the differences as metrics and in the log.
   * Funds that have just arrived do not count as a difference.
   */
  private async audit({ sponsor, term }: Look): Promise<void> {
    if (!term.isFilled || (await this.correct(sponsor)) === null) return;
    const { metrics } = this;
    const { count, isExact } = await this.findDifferences(sponsor);
    metrics.auditDifferences.set({ sponsor }, count);
    const inexact = count === 0 ? 'changing' : 'differs';
    metrics.audits.add({ outcome: isExact ? 'exact' : inexact });
  }

  /**
   * Corrects a pool, and counts its remaining differences from the ledger, without metrics, which only the
   * leader keeps up to date. Null: keys are missing; it is suspended and rebuilt instead.
   */
  async compare(sponsor: string): Promise<Reconciliation | null> {
    const corrections = await this.correct(sponsor);
    if (corrections === null) return null;
    const { count: differences } = await this.findDifferences(sponsor);
    return { ...corrections, differences };
  }

  private async correct(sponsor: string): Promise<Omit<Reconciliation, 'differences'> | null> {
    if (await this.suspendIfIncomplete(sponsor)) return null;
    const { corrected, adopted } = await this.correction.correct(sponsor);
    return { corrected, adopted: adopted + (await this.correction.adoptNewCoins(sponsor, true)) };
  }

  private async findDifferences(sponsor: string): Promise<{ count: number; isExact: boolean }> {
    const { differences, isExact } = await auditPool(this.redis, this.ledger, sponsor);
    const count = differences.length;
    if (count > 0) {
      const first = differences.slice(0, MAX_LOGGED);
      this.logger.error({ sponsor, count, first }, 'Pool differs from the ledger');
    }
    return { count, isExact };
  }

  async isSuspended(sponsor: string): Promise<boolean> {
    return (await readSuspension(this.redis, sponsor)) !== null;
  }

  /**
   * Suspends the pool when keys of it are missing, as after any loss of writes: coins in no state may be
   * signed for. It is rebuilt at the end of the suspension. Returns whether anything is missing.
   */
  async suspendIfIncomplete(sponsor: string): Promise<boolean> {
    const { faults } = await snapshotPool(this.redis, sponsor);
    if (faults.length === 0) return false;
    if (await suspendPool(this.redis, sponsor, this.settings.holdMs)) {
      this.metrics.repairs.add({ cause: 'keys_lost' });
      const fields = { sponsor, count: faults.length, first: faults.slice(0, MAX_LOGGED) };
      this.logger.error(fields, 'Pool suspended: Redis has lost some of its keys');
    }
    return true;
  }

  /**
   * Ends a suspension once its time is over and the pool has been compared with the ledger. First ends
   * orphaned claims, and gives open work another `holdMs` to be settled: its own transaction determines its
   * coins, and Redis may have lost transactions that used them after that. Then rebuilds a pool with missing
   * keys. Throws `MaintenanceFailed` while the ledger does not show all of its coins.
   */
  async endSuspension(sponsor: string): Promise<void> {
    const { redis, correction } = this;
    const leftMs = await readSuspension(redis, sponsor);
    if (leftMs === null || leftMs > 0) return;
    await this.sweeper.sweepClaims(sponsor);
    if (-leftMs < this.settings.holdMs && (await this.hasClaims(sponsor))) return;
    if (!(await this.rebuildSuspended(sponsor, Date.now() + leftMs))) {
      throw new MaintenanceFailed('The ledger does not show every coin of the pool yet');
    }
    // Coins that are new and coins that have changed are compared together: one may explain the other.
    const { corrected: repaired } = await correction.correct(sponsor);
    await correction.adoptNewCoins(sponsor, true);
    if (!(await endSuspension(redis, sponsor))) return;
    this.logger.info({ sponsor, repaired }, 'Coin suspension ended: pool compared with the ledger');
  }

  private async hasClaims(sponsor: string): Promise<boolean> {
    const { coins } = await readPoolTotals(this.redis, sponsor);
    return coins.claimed + coins.executing > 0n;
  }

  /**
   * Rebuilds a pool with missing keys. False when it has to be tried again: the ledger does not show all
   * coins. `hadAt`: the end of the suspension, by which the ledger had every coin of the pool.
   */
  private async rebuildSuspended(sponsor: string, hadAt: number): Promise<boolean> {
    const { faults, unplaced } = await snapshotPool(this.redis, sponsor);
    if (faults.length === 0) return true;
    // The epoch first: what is withheld in it is withheld until a later one.
    const { epoch } = await this.ledger.status(0);
    const { coins, gone } = await this.readCoins(sponsor, unplaced, hadAt);
    const rebuilt = await this.rebuild(sponsor, { epoch, coins, gone, placesCoins: true });
    this.logger.warn({ sponsor, ...rebuilt, repair: 'rebuilt' }, 'Pool rebuilt from the ledger');
    return rebuilt.isWhole;
  }

  /**
   * Returns coins that were withheld once they have moved on, with the gas of the transactions that moved
   * them, or a later epoch has begun.
   */
  async returnWithheld(sponsor: string): Promise<void> {
    const operations = await listMaintenance(this.redis, sponsor);
    const withheld = operations.filter(({ kind }) => kind === 'lost').flatMap(({ coins }) => coins);
    if (withheld.length === 0) return;
    // A loss that has not been noticed yet is examined first.
    if (await this.suspendIfIncomplete(sponsor)) return;
    const { epoch } = await this.ledger.status(0);
    const current = await this.ledger.readGasCoins(sponsor, withheld);
    if (compareCoins(withheld, current).haveMoved) await this.correction.correct(sponsor);
    const { placed } = await this.rebuild(sponsor, {
      coins: split(current).coins,
      gone: [],
      epoch,
      placesCoins: false,
    });
    if (placed > 0) this.logger.info({ sponsor, placed }, 'Withheld coins returned to the pool');
  }

  /** The sponsor's coins; ids of those in no state that are no longer the sponsor's. */
  private async readCoins(sponsor: string, unplaced: readonly string[], hadAt: number) {
    const known = unplaced.map((objectId) => ({ objectId, version: 0 }));
    return split(await findGasCoins(this.ledger, sponsor, known, hadAt));
  }

  private async rebuild(sponsor: string, found: FoundCoins) {
    const rules = placementRules(this.settings.targetBalance);
    // Reservations in flight have a job, so that one whose index is lost is found again.
    const reservationIds = await this.sweeper.listQueued(sponsor);
    return rebuildPool(this.redis, sponsor, { ...found, reservationIds, rules });
  }
}

function split(found: ReadonlyMap<string, GasCoin | 'gone'>): Pick<FoundCoins, 'coins' | 'gone'> {
  return {
    coins: [...found.values()].filter((coin) => coin !== 'gone'),
    gone: [...found].filter(([, coin]) => coin === 'gone').map(([objectId]) => objectId),
  };
}
