import { setTimeout as delay } from 'node:timers/promises';
import { type DueUpkeep, noteSpending, releaseLead, takeLead } from '@forecourt/coin-store';
import { suspendIfIncomplete } from '../audit/rebuild-pool.js';
import { reconcilePool } from '../audit/reconcile-pool.js';
import { reportDifferences } from '../audit/report-differences.js';
import { adoptNewCoins } from '../filling/adopt-new-coins.js';
import { consolidateDust, isDustEnough } from '../filling/consolidate-dust.js';
import { fillPool, needsFilling } from '../filling/fill-pool.js';
import { resolveMaintenance } from '../filling/resolve-maintenance.js';
import { isServing } from '../pool/is-serving.js';
import { withdrawFunds } from '../withdrawing/withdraw-funds.js';
import { endSuspension } from './end-suspension.js';
import type { LeaderDependencies } from './leader-dependencies.js';
import { inputLockSteps } from './input-lock-steps.js';
import { lostKeySteps } from './lost-key-steps.js';
import { sweepClaims, sweepExecutions, sweepExpired } from './sweep-reservations.js';
import { unlessSuspended } from './unless-suspended.js';
import { UpkeepStep, type UpkeepStepOptions } from './upkeep-step.js';

const LEASE_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
/** It looks again this soon, at the earliest, for what is due before the next look. */
const LOOK_AGAIN_MS = 250;
/** One in this many searches for new coins reads all coins, whatever their number. */
const THOROUGH_EVERY = 60;
const SUSPENSION_CHECK_MS = 500;
const NOTE_SPENDING_MS = 60_000;
/** How long a stop waits for steps that are running: a node that hangs must not keep the process from ending. */
const STOP_MS = 5_000;

/**
 * Runs the upkeep of one sponsor's pool, in one process of the fleet at a time: the one that leads. Each look renews the lead
 * and tells which steps have something to do. The lead can be lost while a step runs, so that two processes run the same step;
 * the store's scripts make that harmless.
 */
export class PoolLeader {
  private readonly stopping = new AbortController();
  private readonly steps: readonly UpkeepStep[];
  private looking: Promise<void> | undefined;
  private leading = false;
  /** Since this process leads: whether the ledger was searched, and the pool filled to its target, at least once. */
  private adopted = false;
  private filled = false;
  /** How many times this process has taken the lead. */
  private terms = 0;
  private searches = 0;

  constructor(
    private readonly dependencies: LeaderDependencies,
    private readonly sponsor: string,
  ) {
    const options = [...this.sweeping(), ...this.filling(), ...this.comparing()];
    this.steps = options.map((step) => new UpkeepStep(dependencies.logger, step));
  }

  start(): void {
    this.looking ??= this.keepLooking();
  }

  /**
   * Ends after the steps that are running, or without them if they take too long: a step may end anywhere, as if its process
   * had died. Releases the lead so that another process can take it at once.
   */
  async stop(): Promise<void> {
    const { sponsor } = this;
    const { redis, owner, logger } = this.dependencies;
    this.stopping.abort();
    const late = delay(STOP_MS, 'late' as const, { ref: false });
    if ((await Promise.race([this.untilEnded(), late])) === 'late') {
      logger.warn({ sponsor }, 'Pool upkeep abandoned: a step did not end in time');
    }
    await releaseLead(redis, sponsor, owner).catch(() => false);
  }

  private async untilEnded(): Promise<void> {
    await this.looking;
    await Promise.all(this.steps.map((step) => step.untilEnded()));
  }

  private async keepLooking(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const due = await this.look();
      if (due !== null && !this.stopping.signal.aborted) {
        for (const step of this.steps) step.begin(due);
      }
      const pauseMs = due === null ? LOOK_EVERY_MS : this.untilNextLook(due);
      await delay(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Takes or renews the lead. Returns what there is to do; null while another process leads, or Redis does not answer. */
  private async look(): Promise<DueUpkeep | null> {
    const { redis, owner, logger, metrics, settings } = this.dependencies;
    const { sponsor } = this;
    const { requeueAfterMs, retentionMs } = settings;
    const lead = { owner, leaseMs: LEASE_MS, requeueAfterMs, retentionMs };
    const due = await takeLead(redis, sponsor, lead).catch(() => null);
    const isLeader = due !== null;
    this.terms += Number(isLeader && !this.leading);
    if (isLeader && !this.leading) logger.info({ sponsor }, 'Pool leadership acquired');
    if (!isLeader) {
      this.adopted = this.filled = false;
      metrics.auditDifferences.remove({ sponsor });
    }
    metrics.leading.set({ sponsor }, Number(isLeader));
    this.leading = isLeader;
    return due;
  }

  private unlessSuspended(run: UpkeepStepOptions['run']): UpkeepStepOptions['run'] {
    return unlessSuspended(this.dependencies.guard, run);
  }

  private untilNextLook({ expiryMs, suspendedMs }: DueUpkeep): number {
    // A new pool is filled as soon as its first coins are adopted.
    if (!this.adopted) return LOOK_AGAIN_MS;
    const { scanMs, auditMs } = this.dependencies.settings;
    const usual = Math.min(LOOK_EVERY_MS, scanMs, auditMs > 0 ? auditMs : Infinity);
    const firstDue = Math.min(expiryMs ?? Infinity, suspendedMs ?? Infinity);
    return Math.min(usual, Math.max(LOOK_AGAIN_MS, firstDue));
  }

  private sweeping(): UpkeepStepOptions[] {
    const { dependencies, sponsor } = this;
    return [
      {
        name: 'sweep expired',
        everyMs: LOOK_AGAIN_MS,
        isDue: ({ expiryMs, goneCoins }) => expiryMs === 0 || goneCoins > 0,
        run: this.unlessSuspended(() => sweepExpired(dependencies, sponsor)),
      },
      {
        name: 'sweep claims',
        everyMs: 1_000,
        isDue: ({ overdueClaims }) => overdueClaims > 0,
        run: this.unlessSuspended(() => sweepClaims(dependencies, sponsor)),
      },
      {
        name: 'sweep executions',
        everyMs: 1_000,
        isDue: ({ overdueExecutions }) => overdueExecutions > 0,
        run: () => sweepExecutions(dependencies, sponsor),
      },
      {
        name: 'resolve maintenance',
        everyMs: 1_000,
        isDue: ({ overdueMaintenance }) => overdueMaintenance > 0,
        run: () => resolveMaintenance(dependencies, sponsor),
      },
      {
        name: 'end suspension',
        everyMs: SUSPENSION_CHECK_MS,
        isDue: ({ suspendedMs }) => suspendedMs === 0,
        run: () => endSuspension(dependencies, sponsor),
      },
    ];
  }

  private filling(): UpkeepStepOptions[] {
    const { dependencies, sponsor } = this;
    const { settings } = dependencies;
    return [
      {
        name: 'adopt new coins',
        everyMs: settings.scanMs,
        isDue: () => true,
        run: () => this.adopt(),
      },
      {
        name: 'fill',
        everyMs: 1_000,
        isDue: ({ totals }) =>
          (this.adopted || totals.coins.treasury > 0n) &&
          (!this.filled || needsFilling(totals, settings.minCoins, settings)),
        run: this.unlessSuspended(({ isDrained }) => this.fill(isDrained)),
      },
      {
        name: 'consolidate dust',
        everyMs: 1_000,
        isDue: ({ totals }) => isDustEnough(totals, settings),
        run: this.unlessSuspended(() => this.consolidate()),
      },
      {
        name: 'withdraw funds',
        everyMs: 1_000,
        isDue: ({ isWithdrawing }) => isWithdrawing,
        run: this.unlessSuspended(() => withdrawFunds(dependencies, sponsor)),
      },
    ];
  }

  private comparing(): UpkeepStepOptions[] {
    const { redis, settings } = this.dependencies;
    const steps = lostKeySteps(this.dependencies, this.sponsor, () => this.terms);
    steps.push(...inputLockSteps(redis, this.sponsor), {
      name: 'note spending',
      everyMs: NOTE_SPENDING_MS,
      isDue: () => true,
      run: async () => void (await noteSpending(redis, this.sponsor)),
    });
    if (settings.auditMs === 0) return steps;
    const { auditMs: everyMs } = settings;
    return [...steps, { name: 'audit', everyMs, isDue: () => true, run: () => this.audit() }];
  }

  private async adopt(): Promise<void> {
    this.searches += 1;
    await adoptNewCoins(this.dependencies, this.sponsor, this.searches % THOROUGH_EVERY === 0);
    this.adopted = true;
  }

  /** Funds that have just arrived do not count as a difference. */
  private async audit(): Promise<void> {
    if (!this.filled) return;
    if (await suspendIfIncomplete(this.dependencies, this.sponsor)) return;
    await adoptNewCoins(this.dependencies, this.sponsor, true);
    await reconcilePool(this.dependencies, this.sponsor);
    await reportDifferences(this.dependencies, this.sponsor);
  }

  /**
   * A new leader fills the pool to its target; after that it is filled again when it is below the minimum. The pool of a
   * drained sponsor is as full as it should be.
   */
  private async fill(isDrained: boolean): Promise<void> {
    const { settings, keys } = this.dependencies;
    if (!isServing(keys, this.sponsor, isDrained)) {
      if (this.adopted) this.filled = true;
      return;
    }
    const threshold = this.filled ? settings.minCoins : settings.targetCoins;
    const { signal } = this.stopping;
    const complete = await fillPool(this.dependencies, this.sponsor, threshold, signal);
    if (complete && this.adopted) this.filled = true;
  }

  /** The store begins nothing for a drained sponsor. */
  private async consolidate(): Promise<void> {
    if (!this.dependencies.keys.isConfigured(this.sponsor)) return;
    await consolidateDust(this.dependencies, this.sponsor);
  }
}
