import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  adoptCoins,
  adoptUsedCoin,
  type CoinPast,
  type CoinStoreRedis,
  coinStates,
  type FoundTransaction,
  isWithheld,
  listDropped,
  listFound,
  listUnknownCoins,
  type PlacedCoin,
  type PlacementRules,
  placementRules,
  readLostSince,
  readPoolTotals,
  registerSponsor,
  renewCoin,
  snapshotPool,
} from '@forecourt/coin-store';
import type { RebuildCause } from '@forecourt/contracts';
import {
  type ExecutedTransaction,
  findGasCoins,
  type GasCoin,
  type Ledger,
  netGas,
} from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { idWithoutReservation } from '@forecourt/sponsorship';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { type ChangedCoin, CoinTracer, type PoolMemory, type TracedCoin } from './coin-tracer.js';
import type { Look, UpkeepTask } from './upkeep-task.js';

/** One in this many searches for new coins reads all coins, whatever their number. */
const THOROUGH_EVERY = 60;
/** States in which no transaction of this service can be changing a coin. */
const AT_REST: readonly PlacedCoin['state'][] = ['available', 'dust', 'treasury', 'reserved'];
/** A node that lags may show a coin before the transaction that changed it. */
const LOOKS = 4;
const BETWEEN_LOOKS_MS = 500;
const NOTHING: TracedCoin = { paidFor: [], isWhole: true, unexplained: 0n };

/** A coin of the pool that the ledger shows changed, or a new one. */
interface Difference extends ChangedCoin {
  readonly before: PlacedCoin | null;
}

/** A coin of the pool that has changed. */
interface ChangedPlacedCoin extends Difference {
  readonly before: PlacedCoin;
}

/** A coin that the pool lacks. */
interface NewCoin extends Difference {
  readonly before: null;
  readonly after: GasCoin;
}

/** The past of coins that differ from their pool. */
interface Past {
  readonly traced: ReadonlyMap<string, TracedCoin>;
  readonly cause: RebuildCause;
  /** Of the sponsor. */
  readonly index: number;
  /** The coins of each reservation. */
  readonly held: ReadonlyMap<string | null, readonly PlacedCoin[]>;
}

/**
 * Adopts coins that are new on the ledger, and corrects coins that differ on the ledger because the sponsor's
 * own wallet, or a transaction that Redis has lost, spent or changed them. The gas of these transactions is
 * counted, and history records the sponsored ones. Each coin is corrected together with what it has paid for,
 * unless the pool has changed it meanwhile; a correction that was interrupted is completed by the next one.
 */
@Injectable()
export class PoolCorrection {
  readonly #rules: PlacementRules;

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(COIN_POOL_CONFIG)
    private readonly settings: CoinPoolConfig,
    private readonly metrics: PoolMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#rules = placementRules(settings.targetBalance);
  }

  get tasks(): readonly UpkeepTask[] {
    return [
      {
        name: 'adopt new coins',
        everyMs: this.settings.scanMs,
        isDue: () => true,
        run: (look) => this.search(look),
        // Transactions of a coin that Redis has lost are counted only once it is known that Redis may have
        // lost writes.
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
   * Adds to the pool the coins that the sponsor owns and the pool lacks: at first all, later new funds.
   * Counts the coins first; reads all of them only when the ledger has more than the pool, or when
   * `thorough`, since as many may have left as have arrived. Returns the number of adopted coins.
   */
  async adoptNewCoins(sponsor: string, thorough = false): Promise<number> {
    const { redis, ledger, logger } = this;
    const { coins } = await readPoolTotals(redis, sponsor);
    const pooled = coinStates.reduce((sum, state) => sum + coins[state], 0n);
    if (!thorough && (await ledger.countGasCoins(sponsor)) <= pooled) return 0;
    let adopted = 0;
    for await (const page of ledger.listGasCoins(sponsor)) {
      adopted += await this.adoptNew(sponsor, page);
    }
    if (adopted > 0) logger.info({ sponsor, adopted }, 'New coins adopted from the ledger');
    return adopted;
  }

  /** Adopts the new ones among coins that the ledger lists. Returns their number. */
  private async adoptNew(sponsor: string, listed: readonly GasCoin[]): Promise<number> {
    const fresh = await this.findNew(sponsor, listed);
    const lostSince = await readLostSince(this.redis, sponsor);
    return this.adopt(sponsor, fresh, await this.readPast(sponsor, fresh, lostSince));
  }

  /**
   * Only a later version on the ledger counts, since a node may lag. Returns the numbers of corrected and of
   * new coins.
   */
  async correct(sponsor: string): Promise<{ corrected: number; adopted: number }> {
    const { redis, ledger } = this;
    const lostSince = await readLostSince(redis, sponsor);
    const { coins } = await snapshotPool(redis, sponsor);
    const atRest = coins.filter((coin) => AT_REST.includes(coin.state) || isWithheld(coin));
    const onLedger = await findGasCoins(ledger, sponsor, atRest);
    const seen = atRest.filter((coin) => hasChanged(coin, onLedger.get(coin.objectId)));
    const changed = await this.findChanged(sponsor, seen);
    // Coins that are new and coins that have changed are traced together: one may explain the other.
    const existing = [...onLedger.values()].filter((coin) => coin !== 'gone');
    const fresh = lostSince === null ? [] : await this.findNew(sponsor, existing);
    const past = await this.readPast(sponsor, [...changed, ...fresh], lostSince);
    const corrected = await this.renewAll(sponsor, changed, past);
    return { corrected, adopted: await this.adopt(sponsor, fresh, past) };
  }

  /**
   * Those that are still at rest as they were seen: the others were used since, by transactions of this pool.
   */
  private async findChanged(
    sponsor: string,
    seen: readonly PlacedCoin[],
  ): Promise<ChangedPlacedCoin[]> {
    if (seen.length === 0) return [];
    const { coins } = await snapshotPool(this.redis, sponsor);
    const now = new Map(coins.map((coin) => [coin.objectId, coin]));
    const stale = seen.filter(({ objectId, version, state, holder }) => {
      const coin = now.get(objectId);
      return coin?.version === version && coin.state === state && coin.holder === holder;
    });
    const current = await this.ledger.readGasCoins(sponsor, stale);
    return stale.flatMap((before) => {
      const { objectId } = before;
      const coin = current.get(objectId);
      if (coin === undefined || !hasChanged(before, coin)) return [];
      return { objectId, before, after: coin === 'gone' ? null : coin };
    });
  }

  /**
   * Those that the pool lacks, and that the node also shows as the sponsor's one by one: a page does not say
   * whose coins it lists, and a proxy may mix pages up. The others are looked at again by the next search.
   */
  private async findNew(sponsor: string, listed: readonly GasCoin[]): Promise<NewCoin[]> {
    const unknown = await listUnknownCoins(this.redis, sponsor, listed);
    if (unknown.length === 0) return [];
    const current = await this.ledger.readGasCoins(sponsor, unknown);
    return unknown.flatMap(({ objectId, version }) => {
      const after = current.get(objectId);
      if (after === undefined || after === 'gone' || after.version !== version) return [];
      return { objectId, before: null, after };
    });
  }

  private async readPast(
    sponsor: string,
    differences: readonly Difference[],
    lostSince: number | null,
  ): Promise<Past> {
    const { redis } = this;
    const cause = lostSince === null ? 'outside_pool' : 'redis_lost_writes';
    const isUsed = lostSince !== null || differences.some(({ before }) => before !== null);
    if (!isUsed || differences.length === 0) {
      return { traced: new Map(), cause, index: 0, held: new Map() };
    }
    const { coins } = await snapshotPool(redis, sponsor);
    const found = await listFound(redis, sponsor);
    const dropped = await listDropped(redis, sponsor);
    const known = new Set([...coins.map(({ objectId }) => objectId), ...dropped]);
    const traced = await this.trace(sponsor, differences, { lostSince, coins: known, found });
    const index = await registerSponsor(redis, sponsor);
    return { traced, cause, index, held: Map.groupBy(coins, ({ holder }) => holder) };
  }

  private async trace(
    sponsor: string,
    differences: readonly Difference[],
    memory: PoolMemory,
  ): Promise<ReadonlyMap<string, TracedCoin>> {
    for (let looks = 1; ; looks += 1) {
      const traced = await CoinTracer.trace(this.ledger, sponsor, differences, memory);
      const isWhole = [...traced.values()].every((one) => one.isWhole);
      if (isWhole || looks === LOOKS) return traced;
      await delay(BETWEEN_LOOKS_MS);
    }
  }

  private async adopt(sponsor: string, fresh: readonly NewCoin[], past: Past): Promise<number> {
    if (fresh.length === 0) return 0;
    const { redis } = this;
    const rules = this.#rules;
    const unused: GasCoin[] = [];
    let adopted = 0;
    for (const coin of fresh) {
      const { after } = coin;
      const used = this.describePast(sponsor, coin, past);
      if (used.found.length === 0) unused.push(after);
      else adopted += Number(await adoptUsedCoin(redis, sponsor, after, used, rules));
    }
    return adopted + (await adoptCoins(redis, sponsor, unused, rules));
  }

  private async renewAll(
    sponsor: string,
    changed: readonly ChangedPlacedCoin[],
    past: Past,
  ): Promise<number> {
    const paidBy = ({ objectId }: Difference) => past.traced.get(objectId)!.paidFor.length;
    const isGone = ({ after }: Difference) => Number(after === null);
    // Coins that others have consumed come after those, which explain them if this is interrupted. A
    // reservation ends with the coin whose transaction it was bound to.
    const inOrder = changed.toSorted((a, b) => isGone(a) - isGone(b) || paidBy(b) - paidBy(a));
    const ended = new Set<string>();
    let corrected = 0;
    for (const coin of inOrder) {
      const { before } = coin;
      const { holder } = before;
      const isFree = holder !== null && ended.has(holder);
      const now = isFree ? ({ ...before, state: 'available', holder: null } as const) : before;
      if (!(await this.renew(sponsor, { ...coin, before: now }, past))) continue;
      if (holder !== null) ended.add(holder);
      corrected += 1;
    }
    return corrected;
  }

  private async renew(sponsor: string, coin: ChangedPlacedCoin, past: Past): Promise<boolean> {
    const { before, after } = coin;
    const rules = this.#rules;
    const { retentionMs } = this.settings;
    const described = this.describePast(sponsor, coin, past);
    const renewal = { before, after, rules, retentionMs, past: described };
    if (!(await renewCoin(this.redis, sponsor, renewal))) return false;
    const { objectId, state, version } = before;
    const { found, unexplained, cause } = described;
    this.metrics.repairs.add({ cause: 'coin_changed_elsewhere' });
    this.logger.warn(
      {
        sponsor,
        objectId,
        state,
        version,
        now: after?.version ?? 'gone',
        repair: 'renewed',
        transactions: found.length,
        ...(unexplained !== 0n && { unexplained: String(unexplained) }),
        cause,
      },
      'Coin corrected: it was changed outside the pool',
    );
    return true;
  }

  private describePast(
    sponsor: string,
    { objectId, before }: Difference,
    { traced, cause, index, held }: Past,
  ): CoinPast {
    const { paidFor, unexplained } = traced.get(objectId) ?? NOTHING;
    const reserved = before?.holder ? (held.get(before.holder) ?? []) : [];
    const found = paidFor.map((one) => describeFound(one, { sponsor, index, reserved }));
    return { found, unexplained, cause };
  }
}

/** Whether the ledger shows a later version of a coin, or that it is gone. */
function hasChanged({ version }: GasCoin, now: GasCoin | 'gone' | undefined): boolean {
  return now === 'gone' || (now !== undefined && now.version > version);
}

/** The pool in which a transaction is counted. */
interface Finder {
  readonly sponsor: string;
  /** Of the sponsor. */
  readonly index: number;
  /** The coins of the reservation that holds the coin which paid; none without one. */
  readonly reserved: readonly GasCoin[];
}

/** A transaction that a sponsor has paid for, as its pool counts and records it. */
function describeFound(
  transaction: ExecutedTransaction,
  { sponsor, index, reserved }: Finder,
): FoundTransaction {
  const { digest, effects, sender, commands, gasBudget, gasPayment } = transaction;
  const gasCharged = netGas(effects);
  if (sender === sponsor) return { digest, gasCharged, sponsorship: null };
  const { computationCost, storageCost, storageRebate } = effects.gasUsed;
  const { status, error } = effects.status;
  const executedAt = transaction.executedAt ?? Date.now();
  return {
    digest,
    gasCharged,
    sponsorship: {
      id: idWithoutReservation(executedAt, index, hashOf(digest)),
      executedAt,
      gasBudget,
      payment: gasPayment,
      result: {
        outcome: status === 'success' ? 'success' : 'failure',
        ...(error !== undefined && { failure: error }),
        computation: computationCost,
        storage: storageCost,
        rebate: storageRebate,
      },
      sender,
      commands,
      isBound: areSameCoins(gasPayment, reserved),
    },
  };
}

type Versioned = Pick<GasCoin, 'objectId' | 'version'>;

function areSameCoins(payment: readonly Versioned[], reserved: readonly Versioned[]): boolean {
  const names = new Set(reserved.map(({ objectId, version }) => `${objectId}@${version}`));
  return (
    payment.length === names.size &&
    payment.every(({ objectId, version }) => names.has(`${objectId}@${version}`))
  );
}

/** Spreads the records of one checkpoint over the ids of its time. */
function hashOf(digest: string): number {
  return [...digest].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 65_536, 0);
}
