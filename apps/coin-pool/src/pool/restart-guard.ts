import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { checkRedisRestart, type CoinStoreRedis } from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
import { onTicks, rememberAnswer } from '@forecourt/resilience';
import {
  inspectRedis,
  OutageLog,
  type Logger,
  LOGGER,
  REDIS,
  type RedisDurability,
} from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolOpener } from './pool-opener.js';
import { PoolState } from './pool-state.js';

/** This process's memory of one pool, outside Redis. It detects a Redis restored from older data. */
interface Remembered {
  /** Number of times that coins were bound to be signed for, as Redis has confirmed. */
  readonly watermark: number | null;
  /** The other coin-pools at work. */
  readonly others: readonly string[];
  /** The latest loss that Redis has named. */
  readonly loss: string;
}

type Server = Pick<RedisDurability, 'runId' | 'mayForget' | 'promotedFrom'>;

/**
 * Interval of the check that Redis still holds this process's watermark; the check also shows the other
 * coin-pools that this one is at work. A cluster can replace a master without breaking this process's
 * connection, so requests wait for the check at this interval there.
 */
const LOOK_EVERY_MS = 1_000;

/**
 * Redis restart guard for every operation that hands out coins or signs for them. After a broken connection
 * another server may answer with older data: it is used only once every coin-pool that was at work has found
 * its claims there, or after coins were suspended long enough and compared with the ledger.
 */
@Injectable()
export class RestartGuard implements OnApplicationShutdown {
  #disconnects = 0;
  /** The value of `#disconnects` when Redis was last checked. */
  #checkedConnection = -1;
  #checkedAt = -Infinity;
  /** Number of pools when Redis was last checked. */
  #checkedPools = 0;
  #server: Server | null = null;
  readonly #look = rememberAnswer(() => this.checkServer());
  #stop: (() => void) | undefined;
  /** Names this process among the coin-pools at work. */
  readonly #witness = randomUUID();
  readonly #remembered = new Map<string, Remembered>();
  readonly #recheckMs: number;
  readonly #suspension: OutageLog;

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly signers: Signers,
    @Inject(COIN_POOL_CONFIG) private readonly settings: CoinPoolConfig,
    private readonly state: PoolState,
    private readonly opener: PoolOpener,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#recheckMs = settings.redisMode === 'cluster' ? LOOK_EVERY_MS : Infinity;
    this.#suspension = new OutageLog(logger, {
      begins: 'Coins suspended: Redis may have lost writes',
      goesOn: 'Coins still suspended: Redis may have lost writes',
      ends: 'Coins no longer suspended: Redis has what it must have',
    });
    redis.on('close', () => {
      this.#disconnects += 1;
    });
  }

  /**
   * Throws POOL_REFUSED while coins are suspended, the errors of `PoolOpener.open`, and Redis's errors when
   * it does not answer.
   */
  async check(): Promise<void> {
    const isFresh = performance.now() - this.#checkedAt < this.#recheckMs;
    const { opened, sponsors } = this.state;
    const isComplete = !opened || this.#checkedPools === sponsors.size;
    if (this.isSameConnection && isFresh && isComplete) return;
    await this.#look();
  }

  /**
   * Throws STORE_UNREACHABLE when the connection broke since `check`. Call it right before the command,
   * without an await in between: a command that waits for a connection goes to any server that answers there.
   */
  assertSameConnection(): void {
    if (!this.isSameConnection) throw new ForecourtError('STORE_UNREACHABLE');
  }

  /**
   * Reads an answer, which may rest on writes that Redis lacks. One that `holds` all the same is always
   * returned, any other one only if the server that gave it passes `check`. Throws the errors of `check` and
   * of `read`.
   */
  async readCertain<T>(read: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> {
    const disconnects = this.#disconnects;
    const [answer, checked] = await Promise.allSettled([read(), this.check()]);
    if (answer.status === 'rejected') throw answer.reason;
    if (holds(answer.value)) return answer.value;
    if (checked.status === 'rejected') throw checked.reason;
    if (this.#disconnects !== disconnects) throw new ForecourtError('STORE_UNREACHABLE');
    return answer.value;
  }

  /** The open pools; until all are open, those to be opened. */
  private get pools(): readonly string[] {
    const { opened, sponsors } = this.state;
    return opened ? [...sponsors] : this.signers.configured.map(({ address }) => address);
  }

  private get isSameConnection(): boolean {
    return this.#checkedConnection === this.#disconnects && this.redis.status === 'ready';
  }

  /**
   * Duration of the suspension of a pool that is being added, in ms; 0: none. `check` includes the pool once
   * it is open, so that the others do not wait for it.
   */
  async examineAdded(sponsor: string): Promise<number> {
    return this.checkPool(sponsor, await inspectRedis(this.redis));
  }

  /** Starts a look every second. Callers of `check` receive its errors. */
  keepLooking(): void {
    this.#stop ??= onTicks(LOOK_EVERY_MS, () => void this.#look().catch(() => undefined));
  }

  onApplicationShutdown(): void {
    this.#stop?.();
  }

  private async checkServer(): Promise<void> {
    const disconnects = this.#disconnects;
    const { pools } = this;
    if (this.#server === null || !this.isSameConnection || this.#recheckMs < Infinity) {
      this.#server = await inspectRedis(this.redis);
      await this.reopenPools();
    }
    const { runId } = this.#server;
    let suspendedMs = 0;
    for (const address of pools) {
      suspendedMs = Math.max(suspendedMs, await this.checkPool(address, this.#server));
    }
    if (suspendedMs > 0) {
      this.#checkedConnection = -1;
      this.#suspension.report({ runId, suspendedMs });
      const retryAfterSecs = Math.ceil(suspendedMs / 1_000);
      const detail = 'comparing coins with the ledger, Redis may have lost writes';
      throw new ForecourtError('POOL_REFUSED', detail, { retryAfterSecs });
    }
    this.#suspension.end();
    this.#checkedConnection = disconnects;
    this.#checkedAt = performance.now();
    this.#checkedPools = pools.length;
  }

  /** A server that has lost all data does not know the pools. Throws the errors of `PoolOpener.open`. */
  private async reopenPools(): Promise<void> {
    if (this.state.chain === null) return;
    for (const address of this.pools) {
      await this.opener.open(address, this.state.chain);
    }
  }

  /** Remaining duration of the pool's suspension, in ms. */
  private async checkPool(sponsor: string, server: Server): Promise<number> {
    const { runId, mayForget, promotedFrom } = server;
    const { holdMs } = this.settings;
    const remembered = this.#remembered.get(sponsor);
    const { watermark = null, others = [], loss = '0' } = remembered ?? {};
    const memory = { witness: this.#witness, watermark, others, loss };
    const check = { runId, mayForget, promotedFrom, holdMs, ...memory };
    const found = await checkRedisRestart(this.redis, sponsor, check);
    this.remember(sponsor, found.watermark, found);
    if (remembered && found.loss !== loss) {
      const fields = { sponsor, loss: found.loss };
      this.logger.warn(fields, 'Withdrawals ended: Redis may have lost their transactions');
    }
    return found.suspendedMs;
  }

  /** Remembers a watermark that Redis has confirmed; ignores a lower one than before. */
  remember(sponsor: string, watermark: number, seen?: Pick<Remembered, 'loss' | 'others'>): void {
    const known = this.#remembered.get(sponsor);
    this.#remembered.set(sponsor, {
      watermark: Math.max(watermark, known?.watermark ?? 0),
      others: seen?.others ?? known?.others ?? [],
      loss: seen?.loss ?? known?.loss ?? '0',
    });
  }
}
