import { Inject, Injectable } from '@nestjs/common';
import {
  checkRedisRestart,
  type CoinStoreRedis,
  openPool,
  registerSponsor,
} from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
import {
  inspectRedis,
  LastingCondition,
  type Logger,
  LOGGER,
  REDIS,
} from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolState } from './pool-state.js';

/** A cluster can replace a master without breaking this process's connection, so it is checked again this often. */
const RECHECK_CLUSTER_MS = 1_000;

/**
 * Redis restart guard, in front of everything that hands out coins or signs for them. A connection that broke may have
 * ended with its server: the next one is used only once that server is known to have lost no writes, or after coins were
 * suspended long enough and compared with the ledger.
 */
@Injectable()
export class RestartGuard {
  #disconnects = 0;
  /** The value of `#disconnects` when Redis was last checked. */
  #checkedConnection = -1;
  #checkedAt = -Infinity;
  /** Sponsors whose pools this process has seen on a server. */
  readonly #seenPools = new Set<string>();
  /** How many pools there were when Redis was last checked. */
  #checkedPools = 0;
  #checking: Promise<void> | null = null;
  readonly #recheckMs: number;
  readonly #suspension: LastingCondition;

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly signers: Signers,
    @Inject(COIN_POOL_CONFIG)
    private readonly settings: Pick<CoinPoolConfig, 'holdMs' | 'redisMode'>,
    @Inject(LOGGER) logger: Logger,
    private readonly state: PoolState,
  ) {
    this.#recheckMs = settings.redisMode === 'cluster' ? RECHECK_CLUSTER_MS : Infinity;
    this.#suspension = new LastingCondition(logger, {
      begins: 'Coins suspended: Redis restarted and may have lost its last writes',
      goesOn: 'Coins still suspended after the restart of Redis',
      ends: 'Coins no longer suspended after the restart of Redis',
    });
    redis.on('close', () => {
      this.#disconnects += 1;
    });
  }

  /** Throws POOL_REFUSED while coins are suspended, and what Redis throws when it does not answer. */
  async check(): Promise<void> {
    const isFresh = performance.now() - this.#checkedAt < this.#recheckMs;
    const { opened, sponsors } = this.state;
    const isComplete = !opened || this.#checkedPools === sponsors.size;
    if (this.isSameConnection && isFresh && isComplete) return;
    this.#checking ??= this.checkServer().finally(() => {
      this.#checking = null;
    });
    await this.#checking;
  }

  /**
   * Throws STORE_UNREACHABLE when the connection broke since `check`. To be called right before the command, with nothing
   * awaited in between: a command that waits for a connection goes to whatever server answers there.
   */
  assertSameConnection(): void {
    if (!this.isSameConnection) throw new ForecourtError('STORE_UNREACHABLE');
  }

  /** The pools there are; until all are open, those that there will be. */
  private get pools(): readonly string[] {
    const { opened, sponsors } = this.state;
    return opened ? [...sponsors] : this.signers.configured.map(({ address }) => address);
  }

  private get isSameConnection(): boolean {
    return this.#checkedConnection === this.#disconnects && this.redis.status === 'ready';
  }

  private async checkServer(): Promise<void> {
    const disconnects = this.#disconnects;
    const { runId, mayForget } = await inspectRedis(this.redis);
    const { holdMs } = this.settings;
    const { pools } = this;
    let suspendedMs = 0;
    for (const address of pools) {
      if (this.state.chain !== null) {
        // A server that has lost everything has lost this too.
        await registerSponsor(this.redis, address);
        await openPool(this.redis, address, this.state.chain);
      }
      const server = { runId, mayForget, holdMs, wasThere: this.#seenPools.has(address) };
      suspendedMs = Math.max(suspendedMs, await checkRedisRestart(this.redis, address, server));
    }
    for (const address of pools) this.#seenPools.add(address);
    if (suspendedMs > 0) {
      this.#suspension.meet({ runId, suspendedMs });
      const retryAfterSecs = Math.ceil(suspendedMs / 1_000);
      const detail = 'comparing coins with the ledger after a Redis restart';
      throw new ForecourtError('POOL_REFUSED', detail, { retryAfterSecs });
    }
    this.#suspension.end();
    this.#checkedConnection = disconnects;
    this.#checkedAt = performance.now();
    this.#checkedPools = pools.length;
  }
}
