import { setTimeout as delay } from 'node:timers/promises';
import { acquireLock, noteSpending, releaseLock } from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
import { adoptNewCoins } from '../filling/adopt-new-coins.js';
import { fillPool } from '../filling/fill-pool.js';
import { consolidateDust } from '../filling/consolidate-dust.js';
import { MaintenanceFailed } from '../filling/maintenance-failed.js';
import { resolveMaintenance } from '../filling/resolve-maintenance.js';
import { reconcilePool } from '../audit/reconcile-pool.js';
import { reportDifferences } from '../audit/report-differences.js';
import { isServing } from '../pool/is-serving.js';
import { withdrawFunds } from '../withdrawing/withdraw-funds.js';
import { endSuspension } from './end-suspension.js';
import type { LeaderDependencies } from './leader-dependencies.js';
import { sweepClaims, sweepExecutions, sweepExpired } from './sweep-reservations.js';

const LEADER = 'leader';
const LOCK_MS = 5_000;
/** One in so many searches for new coins reads all coins, whatever their number. */
const THOROUGH_EVERY = 60;
const TICK_MS = 250;
const SUSPENSION_CHECK_MS = 500;
const NOTE_SPENDING_MS = 60_000;
/** How long a stop waits for steps that are running: a node that hangs must not keep the process from ending. */
const STOP_MS = 5_000;
/** After a failure that cost gas the pause doubles, up to this. */
const LONGEST_PAUSE_MS = 60_000;

type Step = readonly [
  name: string,
  everyMs: number,
  run: (dependencies: LeaderDependencies, sponsor: string) => Promise<void>,
];

/**
 * Runs the upkeep of one sponsor's pool, in one process of the fleet at a time: the one that has the lock. A lock can be
 * lost while a step runs, so that two processes run the same step; the store's scripts make that harmless.
 */
export class PoolLeader {
  private readonly stopping = new AbortController();
  private readonly running: Promise<unknown>[] = [];
  private leading = false;
  /** Since this process leads: whether the ledger was searched, and the pool filled to its target, at least once. */
  private adopted = false;
  private filled = false;
  private searches = 0;

  constructor(
    private readonly dependencies: LeaderDependencies,
    private readonly sponsor: string,
  ) {}

  start(): void {
    const { scanMs, auditMs } = this.dependencies.settings;
    this.running.push(
      this.keepLock(),
      this.repeat(this.guarded(['sweep expired', TICK_MS, sweepExpired])),
      this.repeat(this.guarded(['sweep claims', 1_000, sweepClaims])),
      this.repeat(['end suspension', SUSPENSION_CHECK_MS, endSuspension]),
      this.repeat(['sweep executions', 1_000, sweepExecutions]),
      this.repeat(['resolve maintenance', 1_000, resolveMaintenance]),
      this.repeat(['adopt new coins', scanMs, () => this.adopt()]),
      this.repeat(['note spending', NOTE_SPENDING_MS, () => this.noteSpending()]),
      this.repeat(this.guarded(['fill', 1_000, () => this.fill()])),
      this.repeat(this.guarded(['consolidate dust', 1_000, () => this.consolidate()])),
      this.repeat(this.guarded(['withdraw funds', 1_000, withdrawFunds])),
    );
    if (auditMs > 0) this.running.push(this.repeat(['audit', auditMs, () => this.audit()]));
  }

  /**
   * Ends after the steps that are running, or without them if they take too long: a step may end anywhere, as if its process
   * had died. Releases the lock so that another process can lead at once.
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    const late = delay(STOP_MS, 'late' as const, { ref: false });
    const ended = await Promise.race([Promise.all(this.running), late]);
    if (ended === 'late') {
      const { sponsor } = this;
      this.dependencies.logger.warn(
        { sponsor },
        'Pool upkeep abandoned: a step did not end in time',
      );
    }
    await releaseLock(this.dependencies.redis, this.sponsor, LEADER, this.dependencies.owner).catch(
      () => false,
    );
  }

  private async keepLock(): Promise<void> {
    const { redis, owner, logger, metrics } = this.dependencies;
    const { sponsor } = this;
    while (!this.stopping.signal.aborted) {
      const isLeader = await acquireLock(redis, sponsor, LEADER, owner, LOCK_MS).catch(() => false);
      if (isLeader && !this.leading) logger.info({ sponsor }, 'Pool leadership acquired');
      if (!isLeader) {
        this.adopted = this.filled = false;
        metrics.auditDifferences.remove({ sponsor });
      }
      metrics.leading.set({ sponsor }, Number(isLeader));
      this.leading = isLeader;
      await this.pause(LOCK_MS / 5);
    }
  }

  private async adopt(): Promise<void> {
    this.searches += 1;
    await adoptNewCoins(this.dependencies, this.sponsor, this.searches % THOROUGH_EVERY === 0);
    this.adopted = true;
  }

  private async noteSpending(): Promise<void> {
    await noteSpending(this.dependencies.redis, this.sponsor);
  }

  /** Funds that have just arrived do not count as a difference. */
  private async audit(): Promise<void> {
    if (!this.filled) return;
    await adoptNewCoins(this.dependencies, this.sponsor, true);
    await reconcilePool(this.dependencies, this.sponsor);
    await reportDifferences(this.dependencies, this.sponsor);
  }

  /**
   * A new leader fills the pool to its target; after that it is filled again when it is below the minimum. The pool of a
   * drained sponsor is as full as it should be.
   */
  private async fill(): Promise<void> {
    if (!(await isServing(this.dependencies, this.sponsor))) {
      if (this.adopted) this.filled = true;
      return;
    }
    const { minCoins, targetCoins } = this.dependencies.settings;
    const threshold = this.filled ? minCoins : targetCoins;
    const { signal } = this.stopping;
    const complete = await fillPool(this.dependencies, this.sponsor, threshold, signal);
    if (complete && this.adopted) this.filled = true;
  }

  /** The store begins nothing for a drained sponsor. */
  private async consolidate(): Promise<void> {
    if (!this.dependencies.keys.isConfigured(this.sponsor)) return;
    await consolidateDust(this.dependencies, this.sponsor);
  }

  /** Skips a step that makes coins available, or signs for them, while coins are suspended. */
  private guarded([name, everyMs, run]: Step): Step {
    const { guard } = this.dependencies;
    const isSuspended = (error: unknown) =>
      error instanceof ForecourtError && error.code === 'POOL_REFUSED';
    return [
      name,
      everyMs,
      async (dependencies, sponsor) => {
        try {
          await guard.check();
        } catch (error) {
          if (isSuspended(error)) return;
          throw error;
        }
        await run(dependencies, sponsor);
      },
    ];
  }

  private async repeat([name, everyMs, run]: Step): Promise<void> {
    const { logger } = this.dependencies;
    let failures = 0;
    while (!this.stopping.signal.aborted) {
      if (!this.leading) {
        await this.pause(TICK_MS);
        continue;
      }
      let pauseMs = everyMs;
      try {
        await run(this.dependencies, this.sponsor);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) {
          logger.error({ step: name, error: String(error) }, 'Pool upkeep step failed; retrying');
        }
        if (error instanceof MaintenanceFailed) {
          pauseMs = Math.min(everyMs * 2 ** failures, LONGEST_PAUSE_MS);
        }
      }
      await this.pause(pauseMs);
    }
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
