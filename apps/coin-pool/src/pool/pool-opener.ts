import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  listSponsors,
  openPool,
  registerSponsor,
} from '@forecourt/coin-store';
import { type Ledger, LedgerUnreachable } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import {
  inspectRedis,
  isRedisOutage,
  type Logger,
  LOGGER,
  REDIS,
  retryUntilAvailable,
} from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolState } from './pool-state.js';

/** The pool in Redis was filled on another network than the node serves. */
function wrongNetwork(sponsor: string, belongsTo: string, chain: string): Error {
  return new Error(
    `The pool of sponsor ${sponsor} belongs to network ${belongsTo}, but the node at LEDGER_URL serves network ${chain}. ` +
      'Point LEDGER_URL at a node of the pool’s network, or REDIS_URL at another Redis or another database of it ' +
      '(redis://host:port/1) for the new network; the coins of the old one stay on their ledger.',
  );
}

const MAY_BE_LOST =
  'Redis is empty, although the ledger shows that this sponsor may have paid for gas: if the pool was served with other data, it may have lost writes';

/** Opens the pools of sponsors in Redis, for the network of the ledger node. */
@Injectable()
export class PoolOpener {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(COIN_POOL_CONFIG) private readonly settings: CoinPoolConfig,
    readonly state: PoolState,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Waits for Redis and for the ledger node. Throws the errors of `openAll`. */
  async openWhenAvailable(sponsors: readonly string[]): Promise<void> {
    const { logger } = this;
    const outage = { service: 'Redis', isOutage: isRedisOutage, logger };
    const inspected = await retryUntilAvailable(outage, () => inspectRedis(this.redis));
    const { warnings, ...durability } = inspected;
    logger.info({ ...durability }, 'Redis inspected');
    for (const warning of warnings) logger.warn(warning);
    await retryUntilAvailable(outage, () => this.openAll(sponsors));
  }

  /**
   * Opens the pools of these sponsors for the node's network; waits for a node that does not answer. Where
   * Redis knows no sponsor at all, the pool of a sponsor that has paid for gas is suspended at first: Redis
   * may have lost it, with transactions in flight. Throws the errors of `open`, and `Error` when the nodes
   * are on two networks.
   */
  async openAll(sponsors: readonly string[]): Promise<void> {
    const { redis, ledger, settings, logger, state } = this;
    const isOutage = (error: unknown) => error instanceof LedgerUnreachable;
    const outage = { service: 'the ledger node', isOutage, logger };
    const chain = await retryUntilAvailable(outage, () => ledger.chainIdentifier());
    const isEmpty = (await listSponsors(redis)).size === 0;
    for (const address of sponsors) {
      const mayBeLost =
        isEmpty && (await retryUntilAvailable(outage, () => ledger.hasPaidForGas(address)));
      const { historyBacklog, holdMs } = settings;
      const suspendMs = mayBeLost ? holdMs : 0;
      const opened = await openPool(redis, address, chain, { suspendMs, historyBacklog });
      if (!opened.opened) throw wrongNetwork(address, opened.belongsTo, chain);
      if (mayBeLost) logger.warn({ sponsor: address, suspendedMs: suspendMs }, MAY_BE_LOST);
    }
    // Not earlier: another coin-pool that starts too must find Redis empty until all pools are suspended.
    for (const address of sponsors) {
      const index = await this.open(address, chain);
      this.announce(address, index, chain);
    }
    state.chain = chain;
  }

  /**
   * Opens the pool of one sponsor for a network, in Redis; returns the sponsor's index. Idempotent. Throws
   * `PoolTooNew`, `Error` when the pool belongs to another network or the fleet has no index left for the
   * sponsor, and Redis's errors.
   */
  async open(sponsor: string, chain: string): Promise<number> {
    const index = await registerSponsor(this.redis, sponsor);
    const { historyBacklog } = this.settings;
    const opened = await openPool(this.redis, sponsor, chain, { historyBacklog });
    if (!opened.opened) throw wrongNetwork(sponsor, opened.belongsTo, chain);
    return index;
  }

  /** The pool may serve from now on. */
  announce(sponsor: string, index: number, network: string): void {
    this.state.sponsors.add(sponsor);
    this.logger.info({ sponsor, index, network }, 'Pool opened');
  }
}
