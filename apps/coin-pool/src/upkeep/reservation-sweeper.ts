import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  expireReservations,
  type InFlight,
  type InFlightQuery,
  listInFlight,
  releaseClaim,
} from '@forecourt/coin-store';
import { JOB_VERSION } from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { LEDGER } from '@forecourt/runtime/ledger';
import { ClaimJobs } from '@forecourt/runtime/queue';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { InputLocks } from '../pool/input-locks.js';
import type { UpkeepTask } from './upkeep-task.js';

const BATCH_SIZE = 100;
/** Longest delay before an executor with a correct clock takes a due job. */
const LATE_MS = 2_000;

type LocatedClaim = InFlight & { readonly jobId: string | null };

/**
 * Ends reservations and claims that have run out, enqueues lost jobs again, and keeps input locks up to date.
 */
@Injectable()
export class ReservationSweeper {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly jobs: ClaimJobs,
    private readonly inputLocks: InputLocks,
    @Inject(COIN_POOL_CONFIG)
    private readonly settings: CoinPoolConfig,
    private readonly metrics: PoolMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get tasks(): readonly UpkeepTask[] {
    const { inputLocks } = this;
    return [
      {
        name: 'sweep expired',
        everyMs: 250,
        isDue: ({ expiryMs, goneCoins }) => expiryMs === 0 || goneCoins > 0,
        run: ({ sponsor }) => this.sweepExpired(sponsor),
        skipsSuspended: true,
      },
      {
        name: 'sweep claims',
        everyMs: 1_000,
        isDue: ({ overdueClaims }) => overdueClaims > 0,
        run: ({ sponsor }) => this.sweepClaims(sponsor),
        skipsSuspended: true,
      },
      {
        name: 'sweep executions',
        everyMs: 1_000,
        isDue: ({ overdueExecutions }) => overdueExecutions > 0,
        run: ({ sponsor }) => this.sweepExecutions(sponsor),
      },
      {
        name: 'delete input locks',
        everyMs: 1_000,
        isDue: ({ endedLocks }) => endedLocks > 0,
        run: ({ sponsor }) => inputLocks.deleteEnded(sponsor),
      },
      {
        name: 'renew input locks',
        everyMs: 3_600_000,
        isDue: () => true,
        run: ({ sponsor }) => inputLocks.renew(sponsor),
      },
      {
        // Redis may have lost locks too: these inputs are locked again before others may claim.
        name: 'lock inputs again',
        everyMs: 1_000,
        isDue: ({ suspendedMs }) => suspendedMs !== null,
        run: ({ sponsor }) => inputLocks.renew(sponsor),
      },
    ];
  }

  /** Expires reservations past their deadline; their coins become available again. */
  async sweepExpired(sponsor: string): Promise<void> {
    const sweep = { limit: BATCH_SIZE, retentionMs: this.settings.retentionMs };
    let expired: number;
    do {
      expired = await expireReservations(this.redis, sponsor, sweep);
      this.metrics.expired.add({}, expired);
    } while (expired === BATCH_SIZE);
  }

  /**
   * Ends claims whose lease is over and that have no job: their coin-pool died before it enqueued one, or
   * Redis has lost the writes after the claim. In the second case the transaction may have landed: it is
   * executed once more, which finds that outcome. All other claims are released. Throws `LedgerUnreachable`.
   */
  async sweepClaims(sponsor: string): Promise<void> {
    await this.forEachPage(sponsor, 'claimed', 0, async (page) => {
      let released = 0;
      for (const { jobId, ...claim } of page) {
        // Finished jobs leave the queue, so one that is in the queue will run.
        if (jobId !== null) continue;
        if (await this.ledger.findTransaction(claim.digest)) await this.enqueueAgain(claim);
        else if (await this.releaseOrphaned(sponsor, claim)) released += 1;
      }
      return released;
    });
  }

  /**
   * Passes all claims or executions on, with their jobs: many that wait for executors must not hide others
   * behind them. `handle` returns how many have left the state.
   */
  private async forEachPage(
    sponsor: string,
    state: InFlightQuery['state'],
    olderThanMs: number,
    handle: (page: readonly LocatedClaim[]) => Promise<number>,
  ): Promise<void> {
    const limit = BATCH_SIZE;
    for (let skip = 0, hasMore = true; hasMore; skip += limit) {
      const page = await listInFlight(this.redis, sponsor, { state, olderThanMs, limit, skip });
      const jobIds = await this.jobs.locate(page.listed);
      const located = page.listed.map((claim, index) => ({
        ...claim,
        jobId: jobIds[index] ?? null,
      }));
      skip -= await handle(located);
      hasMore = page.hasMore;
    }
  }

  /** Returns whether the claim was still there. */
  private async releaseOrphaned(sponsor: string, claim: InFlight): Promise<boolean> {
    const { reservationId, fence } = claim;
    const release = { reservationId, fence, retentionMs: this.settings.retentionMs };
    const result = await releaseClaim(this.redis, sponsor, release);
    if (result === 'begun') await this.enqueueAgain(claim);
    if (result !== 'released') return false;
    await this.jobs.leaveShared([claim]);
    this.metrics.repairs.add({ cause: 'claim_without_job' });
    this.logger.warn({ ...claim, repair: 'released' }, 'Orphaned claim released');
    return true;
  }

  /** Enqueues executions with a lost job again, and starts those whose job waits for a wrong clock. */
  async sweepExecutions(sponsor: string): Promise<void> {
    for (const state of ['executing', 'quarantined'] as const) {
      await this.forEachPage(sponsor, state, this.settings.requeueAfterMs, async (page) => {
        const repairs = page.map(async ({ jobId, ...execution }) => {
          if (jobId === null) await this.enqueueAgain(execution);
          else if (await this.promoteLate(jobId)) this.reportPromoted(execution);
        });
        await Promise.all(repairs);
        return 0;
      });
    }
  }

  private async enqueueAgain(execution: InFlight): Promise<void> {
    passFailpoint('coin-pool:before-requeue');
    await this.jobs.addAgain({ version: JOB_VERSION, ...execution });
    this.metrics.repairs.add({ cause: 'execution_without_job' });
    this.logger.warn({ ...execution, repair: 'requeued' }, 'Lost execution job enqueued again');
  }

  /**
   * Lets a delayed job begin now if a process's clock, by which BullMQ computes and reads the times of
   * delayed jobs, is wrong. Either the job is due later than its whole delay from now, so that the clock of
   * the process that delayed it is ahead; or it has been due for long, so that the clocks of the remaining
   * executors are behind. The current time is Redis's. Returns whether it was promoted.
   */
  private async promoteLate(jobId: string): Promise<boolean> {
    const delay = await this.jobs.readDelay(jobId);
    if (delay === null) return false;
    // Read after the delay: a job that was delayed meanwhile is due no later than its delay from now.
    const [seconds, micros] = await this.redis.time();
    const waitsMs = delay.dueAt - Number(seconds) * 1_000 - Number(micros) / 1_000;
    if (waitsMs <= delay.ms + LATE_MS && waitsMs >= -LATE_MS) return false;
    return this.jobs.promote(jobId);
  }

  private reportPromoted(execution: InFlight): void {
    this.metrics.repairs.add({ cause: 'execution_delayed' });
    const fields = { ...execution, repair: 'promoted' };
    this.logger.warn(fields, 'Execution job was delayed by a wrong clock');
  }

  /** The reservations of a pool that have a job. */
  async listQueued(sponsor: string): Promise<number[]> {
    const claims = await this.jobs.listClaims();
    return claims
      .filter((claim) => claim.sponsor === sponsor)
      .map(({ reservationId }) => reservationId);
  }
}
