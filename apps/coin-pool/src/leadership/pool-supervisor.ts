import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type CoinStoreRedis, placementRules } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { Ledger, Signer } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { EXECUTION_QUEUE } from '@forecourt/runtime/queue';
import {
  inspectRedis,
  isRedisOutage,
  type Logger,
  LOGGER,
  REDIS,
  ReplicaIdentity,
  retryUntilAvailable,
} from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { MessagesInFlight } from '../messages/messages-in-flight.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { openPools } from '../pool/open-pools.js';
import { PoolState } from '../pool/pool-state.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { Watermarks } from '../pool/watermarks.js';
import { SIGNERS } from '../pool/signers.token.js';
import { PoolLeader } from './pool-leader.js';

/** Opens the pools once Redis and the ledger answer, and runs their upkeep while the service runs. */
@Injectable()
export class PoolSupervisor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private leaders: PoolLeader[] = [];

  constructor(
    @Inject(COIN_POOL_CONFIG) private readonly settings: CoinPoolConfig,
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(EXECUTION_QUEUE) private readonly queue: Queue<ExecuteTransactionJob>,
    @Inject(SIGNERS) private readonly signers: readonly Signer[],
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly identity: ReplicaIdentity,
    private readonly metrics: PoolMetrics,
    private readonly state: PoolState,
    private readonly guard: RestartGuard,
    private readonly watermarks: Watermarks,
    private readonly messages: MessagesInFlight,
  ) {}

  onApplicationBootstrap(): void {
    this.open().catch((error: unknown) => {
      const fields = { error: error instanceof Error ? error.message : error };
      this.logger.error(fields, 'Pool initialization failed');
      process.exit(1);
    });
  }

  private async open(): Promise<void> {
    const { redis, ledger, signers, logger, state, settings } = this;
    const outage = { service: 'Redis', isOutage: isRedisOutage, logger };
    const inspected = await retryUntilAvailable(outage, () => inspectRedis(redis));
    const { warnings, ...durability } = inspected;
    logger.info({ ...durability }, 'Redis inspected');
    for (const warning of warnings) logger.warn(warning);
    await retryUntilAvailable(outage, () =>
      openPools({ redis, ledger, signers, logger, state, settings }),
    );
    // Checked before any coin is handed out; the leaders end a suspension.
    await this.guard.check().catch((error: unknown) => {
      logger.warn({ error: String(error) }, 'Redis restart check not passed yet');
    });
    this.guard.keepLooking();
    const dependencies = {
      owner: this.identity.id,
      redis,
      ledger,
      queue: this.queue,
      signers,
      rules: placementRules(settings.targetBalance),
      settings,
      metrics: this.metrics,
      guard: this.guard,
      watermarks: this.watermarks,
      logger,
    };
    this.leaders = signers.map(({ address }) => new PoolLeader(dependencies, address));
    for (const leader of this.leaders) leader.start();
    state.opened = true;
  }

  /** Gateways are served until everything else has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.leaders.map((leader) => leader.stop()));
    await this.messages.finish();
  }
}
