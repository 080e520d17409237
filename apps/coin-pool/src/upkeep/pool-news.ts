import { Inject, Injectable } from '@nestjs/common';
import type { PoolTotals } from '@forecourt/coin-store';
import { FLEET_EVENTS_KEY, type FleetEventEntry, KEPT_FLEET_EVENTS } from '@forecourt/contracts';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { countServing } from './pool-filler.js';
import type { Look, Term, UpkeepTask } from './upkeep-task.js';

/** How much a pool has to give, from good to bad. */
const levels = ['enough', 'low', 'exhausted'] as const;
type Level = (typeof levels)[number];
type EventType = FleetEventEntry['type'];

const LOW_SHARE = 10n;

/** The latest announcement about a pool, and those that may follow. */
interface KnownPool {
  readonly term: Term;
  level: Level;
  isSuspended: boolean;
  /** A level that differs from the announced one, and since when; on the clock of `performance`. */
  next: { readonly level: Level; readonly since: number } | null;
}

/**
 * Announces to the fleet's webhooks that a pool runs low or is exhausted, and that it is suspended or
 * resumes. A level is announced when it has lasted: pools are low for a moment whenever they are filled. A
 * new leader reads what the one before has announced.
 */
@Injectable()
export class PoolNews {
  readonly #pools = new Map<string, KnownPool>();

  constructor(
    @Inject(REDIS) private readonly redis: RedisConnection,
    private readonly signers: Signers,
    @Inject(COIN_POOL_CONFIG)
    private readonly settings: CoinPoolConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get tasks(): readonly UpkeepTask[] {
    return [
      {
        name: 'announce the state of the pool',
        everyMs: 1_000,
        isDue: () => true,
        run: (look) => this.announceChanges(look),
      },
    ];
  }

  private async announceChanges(look: Look): Promise<void> {
    const { sponsor, suspendedMs } = look;
    const known = await this.recall(look);
    const isSuspended = suspendedMs !== null;
    if (known.isSuspended !== isSuspended) {
      const type = isSuspended ? 'pool.suspended' : 'pool.resumed';
      await this.announce(sponsor, type, isSuspended ? { suspended_ms: suspendedMs } : {});
      known.isSuspended = isSuspended;
    }
    if (!isSuspended) await this.announceLevel(look, known);
  }

  private async announceLevel(look: Look, known: KnownPool): Promise<void> {
    const level = this.levelOf(look);
    const now = performance.now();
    if (level === known.level) {
      known.next = null;
      return;
    }
    if (known.next?.level !== level) known.next = { level, since: now };
    if (now - known.next.since < this.settings.announceAfterMs) return;
    if (isWorse(level, known.level)) {
      const { coins, balance } = look.totals;
      await this.announce(look.sponsor, `sponsor.${level}` as EventType, {
        available_coins: Number(coins.available),
        usable_coins: countServing(look.totals),
        target_coins: this.settings.targetCoins,
        treasury: String(balance.treasury),
      });
    }
    known.level = level;
    known.next = null;
  }

  /** A drained sponsor, and one without a key, is meant to run out. */
  private levelOf({ sponsor, isDrained, term, totals }: Look): Level {
    if (isDrained || !term.hasAdopted || !this.signers.isConfigured(sponsor)) return 'enough';
    if (totals.coins.available === 0n) return 'exhausted';
    return this.isLow(totals) ? 'low' : 'enough';
  }

  private isLow(totals: PoolTotals): boolean {
    const { minCoins, targetCoins } = this.settings;
    const isShort = totals.coins.available * LOW_SHARE < BigInt(targetCoins);
    return isShort || countServing(totals) < minCoins;
  }

  private async recall({ sponsor, term }: Look): Promise<KnownPool> {
    const known = this.#pools.get(sponsor);
    if (known?.term === term) return known;
    const types = await this.findAnnounced(sponsor);
    const level = levels.find((one) => types.find(isAboutLevel) === `sponsor.${one}`) ?? 'enough';
    const isSuspended = types.find((type) => !isAboutLevel(type)) === 'pool.suspended';
    const recalled: KnownPool = { term, level, isSuspended, next: null };
    this.#pools.set(sponsor, recalled);
    return recalled;
  }

  /** The types of the latest events of a sponsor, the newest first. */
  private async findAnnounced(sponsor: string): Promise<readonly EventType[]> {
    const latest = await this.redis.xrevrange(
      FLEET_EVENTS_KEY,
      '+',
      '-',
      'COUNT',
      KEPT_FLEET_EVENTS,
    );
    return latest
      .map(([, pairs]) => readFields(pairs))
      .filter((entry) => entry.sponsor === sponsor)
      .map(({ type }) => type);
  }

  private async announce(sponsor: string, type: EventType, data: object): Promise<void> {
    const entry: FleetEventEntry = { type, sponsor, data: JSON.stringify(data) };
    const fields = Object.entries(entry).flat() as string[];
    await this.redis.xadd(FLEET_EVENTS_KEY, 'MAXLEN', '~', KEPT_FLEET_EVENTS, '*', ...fields);
    this.logger.info({ sponsor, event: type, ...data }, 'Fleet event announced');
  }
}

function isAboutLevel(type: EventType): boolean {
  return type.startsWith('sponsor.');
}

function isWorse(level: Level, than: Level): boolean {
  return levels.indexOf(level) > levels.indexOf(than);
}

function readFields(
  pairs: readonly string[],
): Partial<FleetEventEntry> & Pick<FleetEventEntry, 'type'> {
  const valueOf = (name: string) => pairs[pairs.indexOf(name) + 1];
  return { type: valueOf('type') as EventType, sponsor: valueOf('sponsor')! };
}
