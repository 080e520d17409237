import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type CoinStoreRedis, type DueUpkeep, releaseLead, takeLead } from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
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
import { type Look, MaintenanceFailed, Term, type UpkeepTask } from './upkeep-task.js';

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
    const look = () => this.openAdded(failure).then(() => this.#looking?.refresh());
    this.#looking = setTimeout(() => void look(), LOOK_FOR_KEYS_MS);
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

const LEASE_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
/** It looks again this soon, at the earliest, for what is due before the next look. */
const LOOK_AGAIN_MS = 250;
/**
 * How long a stop waits for tasks that are running: a node that hangs must not keep the process from ending.
 */
const STOP_MS = 5_000;

/**
 * Runs the upkeep of one sponsor's pool, in one process of the fleet at a time: the one that leads. Each look
 * renews the lead and shows which tasks are due. The lead can be lost while a task runs, so that two
 * processes run the same task; the store's scripts make that harmless.
 */
export class PoolLeader {
  readonly #stopping = new AbortController();
  #looking: Promise<void> | undefined;
  /** Null while another process leads. */
  #term: Term | null = null;

  /** `owner` names this process in the lock. */
  constructor(
    private readonly sponsor: string,
    private readonly owner: string,
    private readonly redis: CoinStoreRedis,
    private readonly tasks: readonly TaskRunner[],
    private readonly settings: CoinPoolConfig,
    private readonly metrics: PoolMetrics,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#looking ??= this.keepLooking();
  }

  /**
   * Ends after the tasks that are running, or without them if they take too long: a task may end anywhere, as
   * if its process had died. Releases the lead so that another process can take it at once.
   */
  async stop(): Promise<void> {
    const { sponsor, redis, owner } = this;
    this.#stopping.abort();
    const late = delay(STOP_MS, 'late' as const, { ref: false });
    if ((await Promise.race([this.untilEnded(), late])) === 'late') {
      this.logger.warn({ sponsor }, 'Pool upkeep abandoned: a step did not end in time');
    }
    await releaseLead(redis, sponsor, owner).catch(() => false);
  }

  private async untilEnded(): Promise<void> {
    await this.#looking;
    await Promise.all(this.tasks.map((task) => task.untilEnded()));
  }

  private async keepLooking(): Promise<void> {
    const { sponsor, tasks } = this;
    const { signal: stopped } = this.#stopping;
    while (!stopped.aborted) {
      const due = await this.look();
      if (due !== null && !stopped.aborted) {
        const look = { ...due, sponsor, term: this.#term!, stopped };
        for (const task of tasks) task.begin(look);
      }
      const pauseMs = due === null ? LOOK_EVERY_MS : this.untilNextLook(due);
      await delay(pauseMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }

  /** Takes or renews the lead. Null while another process leads, or Redis does not answer. */
  private async look(): Promise<DueUpkeep | null> {
    const { sponsor, owner, metrics } = this;
    const { requeueAfterMs, retentionMs } = this.settings;
    const lead = { owner, leaseMs: LEASE_MS, requeueAfterMs, retentionMs };
    const due = await takeLead(this.redis, sponsor, lead).catch(() => null);
    metrics.leading.set({ sponsor }, Number(due !== null));
    if (due === null) {
      metrics.auditDifferences.remove({ sponsor });
      this.#term = null;
    } else if (this.#term === null) {
      this.#term = new Term();
      this.logger.info({ sponsor }, 'Pool leadership acquired');
    }
    return due;
  }

  private untilNextLook({ expiryMs, suspendedMs }: DueUpkeep): number {
    // A new pool is filled as soon as its first coins are adopted.
    if (!this.#term?.hasAdopted) return LOOK_AGAIN_MS;
    const { scanMs, auditMs } = this.settings;
    const usual = Math.min(LOOK_EVERY_MS, scanMs, auditMs > 0 ? auditMs : Infinity);
    const firstDue = Math.min(expiryMs ?? Infinity, suspendedMs ?? Infinity);
    return Math.min(usual, Math.max(LOOK_AGAIN_MS, firstDue));
  }
}

/** Upper limit of the pause, which doubles after failures that a repetition does not help. */
const LONGEST_PAUSE_MS = 60_000;
/** Tolerance of the interval: a leader's look may come this much early, at most a tenth of the interval. */
const EARLY_MS = 100;

/** Runs one task for one pool, one run at a time. */
export class TaskRunner {
  #running: Promise<void> | null = null;
  #failures = 0;
  #notBefore = -Infinity;

  constructor(
    private readonly task: UpkeepTask,
    private readonly guard: RestartGuard,
    private readonly logger: Logger,
  ) {}

  /** Starts a run, unless one is in progress, the last one was recent, or there is nothing to do. */
  begin(look: Look): void {
    const { everyMs, isDue } = this.task;
    const now = performance.now();
    if (this.#running !== null || now < this.#notBefore || !isDue(look)) return;
    this.#notBefore = now + everyMs - Math.min(EARLY_MS, everyMs / 10);
    this.#running = this.run(look).finally(() => {
      this.#running = null;
    });
  }

  /** Waits for the current run, if any. */
  async untilEnded(): Promise<void> {
    await this.#running;
  }

  private async run(look: Look): Promise<void> {
    const { name, everyMs, run, skipsSuspended } = this.task;
    try {
      if (!skipsSuspended || (await this.mayUseCoins())) await run(look);
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures === 1) {
        const fields = { step: name, error: String(error) };
        this.logger.error(fields, 'Pool upkeep step failed; retrying');
      }
      if (error instanceof MaintenanceFailed) {
        const pauseMs = Math.min(everyMs * 2 ** this.#failures, LONGEST_PAUSE_MS);
        this.#notBefore = performance.now() + pauseMs;
      }
    }
  }

  /** False while coins are suspended. */
  private async mayUseCoins(): Promise<boolean> {
    try {
      await this.guard.check();
      return true;
    } catch (error) {
      if (error instanceof ForecourtError && error.code === 'POOL_REFUSED') return false;
      throw error;
    }
  }
}
