import { setTimeout as delay } from 'node:timers/promises';
import {
  type BegunClaim,
  type BegunExecution,
  beginExecutions,
  type CoinStoreRedis,
  noteUnknown,
} from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import {
  type DecodedTransaction,
  type Ledger,
  paymentOf,
  type Signer,
  type Submission,
} from '@forecourt/ledger';
import { KeyedBatcher, untilRecent } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS, ReplicaIdentity } from '@forecourt/runtime/service';
import { Inject, Injectable } from '@nestjs/common';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';

/** One claim that this executor works on. */
export interface Execution {
  readonly job: ExecuteTransactionJob;
  readonly begun: BegunExecution;
  /** Time of this process's request to Redis to begin it, on the clock of `performance.now()`. */
  readonly askedAt: number;
  readonly transaction: DecodedTransaction;
  readonly signer: Signer;
  readonly submissions: Submissions;
}

/** The times at which an execution was submitted, for history. */
export class Submissions {
  #times: number[] = [];

  /** A submission begins now. */
  note(): void {
    this.#times.push(performance.now());
  }

  /** How long ago each was made that was not taken before, in ms. */
  takeAges(): number[] {
    const now = performance.now();
    const ages = this.#times.map((time) => Math.round(now - time));
    this.#times = [];
    return ages;
  }

  /** Takes back ages that could not be stored. */
  giveBack(ages: readonly number[]): void {
    const now = performance.now();
    this.#times.unshift(...ages.map((age) => now - age));
  }
}

/** Most claims in one script call, which bounds the time that a call keeps Redis busy. */
const MAX_BATCH = 16;
const QUICK_RETRIES_MS = [200, 400, 1_000];

/** The last answer of the ledger. */
export interface Submitted {
  readonly submission: Submission;
  /** There was no earlier submission. */
  readonly isOnly: boolean;
  /** The epoch right after an unknown outcome, if a node reports it. */
  readonly endedIn: bigint | null;
}

/** Begins the execution of claims, signs their transactions and submits them to the ledger. */
@Injectable()
export class Submitter {
  private readonly begins = new KeyedBatcher<BegunClaim, BegunExecution | null | Error>(
    (sponsor, claims) => beginExecutions(this.redis, sponsor, this.replica.id, claims),
    MAX_BATCH,
  );

  /** `submitWithinMs`: longest time between Redis's confirmation of the claim and the start of a submission. */
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'findTransaction' | 'status' | 'submit'>,
    @Inject(ReplicaIdentity) private readonly replica: Pick<ReplicaIdentity, 'id'>,
    @Inject(EXECUTOR_CONFIG) private readonly settings: Pick<ExecutorConfig, 'submitWithinMs'>,
    private readonly metrics: ExecutorMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * See `beginExecution` of the coin store. Simultaneous calls share a script call. Throws `Error` when the stored
   * state is invalid, and Redis's errors.
   */
  async begin(job: ExecuteTransactionJob): Promise<BegunExecution | null> {
    const begun = await this.begins.add(job.sponsor, job);
    if (begun instanceof Error) throw begun;
    return begun;
  }

  /** Throws `SigningFailed`; a caller that does not wait for the signature need not handle that. */
  sign({ signer, transaction }: Execution): Promise<string> {
    const { metrics } = this;
    const signing = metrics.step('sign', () => signer.signTransaction(transaction.bytes));
    signing.catch(() => undefined);
    return signing;
  }

  /**
   * Submits. While the outcome is unknown, or validators do not know an object yet, it looks up the digest
   * and submits the same bytes again, a few times in quick succession, but not in a later epoch. Null when the claim
   * has ended meanwhile: nothing was submitted.
   */
  async submit(execution: Execution, signature: string): Promise<Submitted | null> {
    const { transaction, begun, job, askedAt, submissions } = execution;
    const { ledger, metrics } = this;
    passFailpoint('executor:after-sign');
    const submitOnce = async (isOnly: boolean): Promise<Submitted> => {
      const signatures = [begun.userSig, signature];
      submissions.note();
      // The first one of all follows from the claim's beginning, and costs no call.
      if (!isOnly) await this.noteSubmissions(execution);
      const submission = await metrics.step('submit', () =>
        ledger.submit(transaction.bytes, signatures),
      );
      const endedIn = submission.kind === 'unknown' ? await this.epochNow() : null;
      return { submission, isOnly, endedIn };
    };
    if (!(await this.isStillBound(job, askedAt))) return null;
    let latest = await submitOnce(!begun.resumed);
    passFailpoint('executor:after-submit');
    for (const pauseMs of QUICK_RETRIES_MS) {
      if (!mayChange(latest.submission)) return latest;
      await delay(pauseMs);
      const find = () => ledger.findTransaction(job.digest, paymentOf(transaction));
      const landed = await metrics.step('find', find).catch(() => null);
      if (landed) {
        const submission = { kind: 'executed', effects: landed.effects } as const;
        return { submission, isOnly: false, endedIn: null };
      }
      latest = { ...latest, isOnly: false };
      if (!(await this.maySubmitAgain(job, latest.endedIn))) return latest;
      latest = await submitOnce(false);
    }
    return latest;
  }

  /** Stores the submissions so far: the next one may be this process's last act. Never rejects: the next step stores them too. */
  private async noteSubmissions({ job, submissions }: Execution): Promise<void> {
    const ages = submissions.takeAges();
    const note = { epoch: null, submissions: ages };
    await noteUnknown(this.redis, job.sponsor, this.replica.id, job, note).catch(() =>
      submissions.giveBack(ages),
    );
  }

  /** Null when no node reports it. */
  private async epochNow(): Promise<bigint | null> {
    const status = await this.ledger.status(0).catch(() => null);
    return status && status.epoch;
  }

  /**
   * Not in a later epoch, which a quarantine would then wait for; and not when the claim has meanwhile ended or been
   * quarantined: its coins may be another transaction's.
   */
  private async maySubmitAgain(
    job: ExecuteTransactionJob,
    endedIn: bigint | null,
  ): Promise<boolean> {
    try {
      const epoch = endedIn === null ? null : await this.epochNow();
      return epoch === endedIn && (await this.isStillBound(job));
    } catch (error) {
      const fields = { digest: job.digest, error: String(error) };
      this.logger.debug(fields, 'Not submitted again: Redis unreachable');
      return false;
    }
  }

  /**
   * Whether the claim is still this transaction's and not quarantined, by a recent answer of Redis. `askedAt`: time
   * of the last request to Redis; absent: asks now. A process that was paused since then asks again, since a Redis
   * that has lost the claim may have bound the coins to another transaction.
   */
  private async isStillBound(job: ExecuteTransactionJob, askedAt = -Infinity): Promise<boolean> {
    const { submitWithinMs } = this.settings;
    if (performance.now() - askedAt <= submitWithinMs) return true;
    const begun = await untilRecent(submitWithinMs, () => this.begin(job));
    return begun !== null && begun.quarantine === null;
  }
}

function mayChange({ kind }: Submission): boolean {
  return kind === 'unknown' || kind === 'missing';
}
