import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { CoinStoreRedis } from '@forecourt/coin-store';
import { untilTick } from '@forecourt/resilience';
import {
  type Logger,
  LOGGER,
  OutageLog,
  REDIS,
  ReplicaIdentity,
  ServiceState,
} from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { MessagesInFlight } from '../messages/messages-in-flight.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { PoolOpener } from '../pool/pool-opener.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { PoolRecovery } from './pool-recovery.js';
import type { UpkeepTask } from './upkeep-task.js';
import { PoolLeader } from './pool-leader.js';
import { TaskRunner } from './task-runner.js';

/** Interval of the search for added keys. */
const LOOK_FOR_KEYS_MS = 1_000;

/** Injection token of the `UpkeepTask`s of every pool. */
export const UPKEEP_TASKS = Symbol('UPKEEP_TASKS');

/**
 * Opens the pools once Redis and the ledger answer, also those of sponsors with keys added later, and runs
 * their upkeep while the service runs.
 */
@Injectable()
export class PoolSupervisor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** By sponsor. A leader stays when its key is removed, so that open work is finished. */
  readonly #leaders = new Map<string, PoolLeader>();
  #looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly signers: Signers,
    private readonly opener: PoolOpener,
    private readonly guard: RestartGuard,
    private readonly recovery: PoolRecovery,
    private readonly messages: MessagesInFlight,
    private readonly replica: ReplicaIdentity,
    private readonly state: ServiceState,
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(UPKEEP_TASKS) private readonly tasks: readonly UpkeepTask[],
    @Inject(COIN_POOL_CONFIG) private readonly settings: CoinPoolConfig,
    private readonly metrics: PoolMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.open().catch((error: unknown) => {
      const fields = { error: error instanceof Error ? error.message : error };
      this.logger.error(fields, 'Service cannot start: its pools could not be opened');
      this.state.fail();
    });
  }

  private async open(): Promise<void> {
    const sponsors = this.signers.configured.map(({ address }) => address);
    await this.opener.openWhenAvailable(sponsors);
    // Checked before any coin is handed out; the leaders end a suspension.
    await this.guard.check().catch((error: unknown) => {
      this.logger.warn({ error: String(error) }, 'Redis restart check not passed yet');
    });
    this.guard.keepLooking();
    for (const sponsor of sponsors) this.lead(sponsor);
    this.opener.state.opened = true;
    this.lookForKeys();
  }

  /** One look at a time; the next one repeats failed openings. */
  private lookForKeys(): void {
    const failure = new OutageLog(this.logger, {
      begins: 'Pool not opened for a sponsor whose key was added; trying again',
      goesOn: 'Pool still not opened for a sponsor whose key was added',
      ends: 'Pools opened for all sponsors whose keys were added',
    });
    const look = () => this.openAdded(failure).then(() => this.#looking && wait());
    const wait = () => {
      this.#looking = setTimeout(() => void look(), untilTick(LOOK_FOR_KEYS_MS));
    };
    wait();
  }

  private async openAdded(failure: OutageLog): Promise<void> {
    let hasFailed = false;
    for (const { address: sponsor } of this.signers.configured) {
      if (this.#leaders.has(sponsor)) continue;
      try {
        if ((await this.openOne(sponsor)) && this.#looking) this.lead(sponsor);
      } catch (error) {
        hasFailed = true;
        failure.report({ sponsor, error: (error as Error).message });
      }
    }
    if (!hasFailed) failure.end();
  }

  /**
   * False while the pool is suspended: Redis knew it before, and may have lost writes while no process had
   * the key. The other sponsors do not wait for it.
   */
  private async openOne(sponsor: string): Promise<boolean> {
    const network = this.opener.state.chain!;
    const index = await this.opener.open(sponsor, network);
    if ((await this.guard.examineAdded(sponsor)) > 0) await this.recovery.endSuspension(sponsor);
    if (await this.recovery.isSuspended(sponsor)) return false;
    this.opener.announce(sponsor, index, network);
    return true;
  }

  private lead(sponsor: string): void {
    const { redis, guard, settings, metrics, logger } = this;
    const runners = this.tasks.map((task) => new TaskRunner(task, guard, logger));
    const owner = this.replica.id;
    const leader = new PoolLeader(sponsor, owner, redis, runners, settings, metrics, logger);
    this.#leaders.set(sponsor, leader);
    leader.start();
  }

  /** Gateways are served until all other work has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.#looking);
    this.#looking = undefined;
    await Promise.all([...this.#leaders.values()].map((leader) => leader.stop()));
    await this.messages.finish();
  }
}
