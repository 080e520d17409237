import { setTimeout as delay } from 'node:timers/promises';
import { type CoinStoreRedis, type DueUpkeep, releaseLead, takeLead } from '@forecourt/coin-store';
import { untilTick } from '@forecourt/resilience';
import type { Logger } from '@forecourt/runtime/service';
import type { CoinPoolConfig } from '../coin-pool-config.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import type { Term } from './upkeep-task.js';
import { TaskRunner } from './task-runner.js';

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
      const pauseMs = due === null ? untilTick(LOOK_EVERY_MS) : this.untilNextLook(due);
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
      this.#term = { hasAdopted: false, isFilled: false, isExamined: false, searches: 0 };
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
    return Math.min(untilTick(usual), Math.max(LOOK_AGAIN_MS, firstDue));
  }
}
