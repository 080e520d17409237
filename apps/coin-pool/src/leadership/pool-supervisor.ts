import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type CoinStoreRedis, placementRules, readSuspension } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { Ledger, Signer } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { EXECUTION_QUEUE } from '@forecourt/runtime/queue';
import {
  inspectRedis,
  isRedisOutage,
  LastingCondition,
  type Logger,
  LOGGER,
  REDIS,
  ReplicaIdentity,
  retryUntilAvailable,
} from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import type { Queue } from 'bullmq';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { MessagesInFlight } from '../messages/messages-in-flight.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { openPoolOf, openPools } from '../pool/open-pools.js';
import { PoolState } from '../pool/pool-state.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { Watermarks } from '../pool/watermarks.js';
import { endSuspension } from './end-suspension.js';
import type { LeaderDependencies } from './leader-dependencies.js';
import { PoolLeader } from './pool-leader.js';

/** Interval of the search for added keys. */
const LOOK_MS = 1_000;

/**
 * Opens the pools once Redis and the ledger answer, also those of sponsors with keys added later, and runs their
 * upkeep while the service runs.
 */
@Injectable()
export class PoolSupervisor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** By sponsor. */
  private readonly leaders = new Map<string, PoolLeader>();
  private looking: NodeJS.Timeout | undefined;

  constructor(
    @Inject(COIN_POOL_CONFIG) private readonly settings: CoinPoolConfig,
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(EXECUTION_QUEUE) private readonly queue: Queue<ExecuteTransactionJob>,
    private readonly signers: Signers,
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
      this.logger.error(fields, 'Service cannot start: its pools could not be opened');
      process.exit(1);
    });
  }

  private async open(): Promise<void> {
    const { redis, ledger, settings, logger, state } = this;
    const signers = this.signers.configured;
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
    for (const signer of signers) this.lead(this.dependenciesOf(signer), signer.address);
    state.opened = true;
    this.lookForKeys();
  }

  /** One look at a time; the next one repeats failed openings. */
  private lookForKeys(): void {
    const failure = new LastingCondition(this.logger, {
      begins: 'Pool not opened for a sponsor whose key was added; trying again',
      goesOn: 'Pool still not opened for a sponsor whose key was added',
      ends: 'Pools opened for all sponsors whose keys were added',
    });
    const look = () => this.openAdded(failure).then(() => this.looking?.refresh());
    this.looking = setTimeout(() => void look(), LOOK_MS);
  }

  private async openAdded(failure: LastingCondition): Promise<void> {
    let hasFailed = false;
    for (const signer of this.signers.configured) {
      const sponsor = signer.address;
      if (this.leaders.has(sponsor)) continue;
      try {
        const dependencies = this.dependenciesOf(signer);
        const isOpen = await this.openOne(dependencies, sponsor);
        if (isOpen && this.looking) this.lead(dependencies, sponsor);
      } catch (error) {
        hasFailed = true;
        failure.report({ sponsor, error: (error as Error).message });
      }
    }
    if (!hasFailed) failure.end();
  }

  /**
   * False while the pool is suspended: Redis knew it before, and may have lost writes while no process had the key.
   * The other sponsors do not wait for it.
   */
  private async openOne(dependencies: LeaderDependencies, sponsor: string): Promise<boolean> {
    const { redis, logger, state, guard } = this;
    const network = state.chain!;
    const index = await openPoolOf(redis, sponsor, network);
    if ((await guard.examineAdded(sponsor)) > 0) await endSuspension(dependencies, sponsor);
    if ((await readSuspension(redis, sponsor)) !== null) return false;
    state.sponsors.add(sponsor);
    logger.info({ sponsor, index, network }, 'Pool opened');
    return true;
  }

  private lead(dependencies: LeaderDependencies, sponsor: string): void {
    const leader = new PoolLeader(dependencies, sponsor);
    this.leaders.set(sponsor, leader);
    leader.start();
  }

  /** Dependencies of one leader, which keeps its signer, so that open work is finished when the key is removed. */
  private dependenciesOf(signer: Signer): LeaderDependencies {
    const { redis, ledger, queue, settings, metrics, guard, watermarks, logger } = this;
    return {
      owner: this.identity.id,
      redis,
      ledger,
      queue,
      signers: [signer],
      keys: this.signers,
      rules: placementRules(settings.targetBalance),
      settings,
      metrics,
      guard,
      watermarks,
      logger,
    };
  }

  /** Gateways are served until all other work has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.looking);
    this.looking = undefined;
    await Promise.all([...this.leaders.values()].map((leader) => leader.stop()));
    await this.messages.finish();
  }
}
