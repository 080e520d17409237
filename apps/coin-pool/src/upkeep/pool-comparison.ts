import {
  adoptCoins,
  auditPool,
  type CoinStoreRedis,
  coinStates,
  listUnknownCoins,
  type PlacedCoin,
  type PlacementRules,
  placementRules,
  readPoolTotals,
  renewCoin,
  snapshotPool,
} from '@forecourt/coin-store';
import { findGasCoins, type GasCoin, type Ledger } from '@forecourt/ledger';
import type { Logger } from '@forecourt/runtime/service';
import type { CoinPoolConfig } from '../coin-pool-config.js';
import type { PoolMetrics } from '../metrics/pool-metrics.js';
import type { Look, UpkeepTask } from './upkeep-task.js';

/** One in this many searches for new coins reads all coins, whatever their number. */
const THOROUGH_EVERY = 60;
/** States in which no transaction of this service can be changing a coin. */
const AT_REST: readonly PlacedCoin['state'][] = ['available', 'dust', 'treasury', 'reserved'];
const MAX_LOGGED = 20;

/** Compares pools with the ledger: adopts new coins, corrects changed ones, and reports differences. */
export class PoolComparison {
  private readonly rules: PlacementRules;

  constructor(
    private readonly redis: CoinStoreRedis,
    private readonly ledger: Ledger,
    private readonly settings: Pick<CoinPoolConfig, 'retentionMs' | 'scanMs' | 'targetBalance'>,
    private readonly metrics: PoolMetrics,
    private readonly logger: Logger,
  ) {
    this.rules = placementRules(settings.targetBalance);
  }

  get tasks(): readonly UpkeepTask[] {
    return [
      {
        name: 'adopt new coins',
        everyMs: this.settings.scanMs,
        isDue: () => true,
        run: (look) => this.search(look),
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
    const { redis, ledger, rules, logger } = this;
    const { coins } = await readPoolTotals(redis, sponsor);
    const pooled = coinStates.reduce((sum, state) => sum + coins[state], 0n);
    if (!thorough && (await ledger.countGasCoins(sponsor)) <= pooled) return 0;
    let adopted = 0;
    for await (const page of ledger.listGasCoins(sponsor)) {
      const found = await this.confirm(sponsor, await listUnknownCoins(redis, sponsor, page));
      adopted += await adoptCoins(redis, sponsor, found, rules);
    }
    if (adopted > 0) logger.info({ sponsor, adopted }, 'New coins adopted from the ledger');
    return adopted;
  }

  /**
   * Those that the node also shows as the sponsor's one by one: a page does not say whose coins it lists, and a proxy may
   * mix pages up. The others are looked at again by the next search.
   */
  private async confirm(sponsor: string, listed: readonly GasCoin[]): Promise<GasCoin[]> {
    if (listed.length === 0) return [];
    const shown = await this.ledger.readGasCoins(sponsor, listed);
    return listed.filter(({ objectId, version }) => {
      const coin = shown.get(objectId);
      return coin !== undefined && coin !== 'gone' && coin.version === version;
    });
  }

  /**
   * Corrects coins that differ on the ledger because the sponsor's own wallet, or a transaction that Redis has lost,
   * spent or changed them. Only a later version on the ledger counts, since a node may lag. Returns the number of
   * corrected coins.
   */
  async reconcile(sponsor: string): Promise<number> {
    const { redis, ledger } = this;
    const { coins } = await snapshotPool(redis, sponsor);
    const atRest = coins.filter(({ state }) => AT_REST.includes(state));
    const onLedger = await findGasCoins(ledger, sponsor, atRest);
    let repaired = 0;
    for (const before of atRest) {
      const after = onLedger.get(before.objectId);
      if (after === undefined || (after !== 'gone' && after.version <= before.version)) continue;
      repaired += Number(await this.renew(sponsor, before, after === 'gone' ? null : after));
    }
    return repaired;
  }

  /** `after`: null when the coin is gone. */
  private async renew(
    sponsor: string,
    before: PlacedCoin,
    after: GasCoin | null,
  ): Promise<boolean> {
    const { rules } = this;
    const { retentionMs } = this.settings;
    const renewed = await renewCoin(this.redis, sponsor, { before, after, rules, retentionMs });
    if (!renewed) return false;
    const { objectId, state, version } = before;
    this.metrics.repairs.add({ cause: 'coin_changed_elsewhere' });
    this.logger.warn(
      { sponsor, objectId, state, version, now: after?.version ?? 'gone', repair: 'renewed' },
      'Coin corrected: it was changed outside the pool',
    );
    return true;
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
