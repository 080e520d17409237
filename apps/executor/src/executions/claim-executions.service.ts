import { setTimeout as delay } from 'node:timers/promises';
import {
  type BegunClaim,
  type BegunExecution,
  beginExecutions,
  type CoinStoreRedis,
  noteUnknown,
} from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { type Ledger, paymentOf, SigningFailed, type Submission } from '@forecourt/ledger';
import { KeyedBatcher, retryUntilFresh } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS, ReplicaIdentity } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { Inject, Injectable } from '@nestjs/common';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { OutcomePending } from './outcome-pending.js';
import type { Execution } from './execution.js';
import { OutcomesService } from './outcomes.service.js';
import { recheckClaim } from './recheck-claim.js';
import { Replies } from './replies.js';
import { UnexecutedClaimsService } from './unexecuted-claims.service.js';
import { SubmissionTimes } from './submission-times.js';
import { QuarantinesService } from './quarantines.service.js';

/** Most claims in one script call, which bounds the time that a call keeps Redis busy. */
const MAX_BATCH = 16;
const QUICK_RETRIES_MS = [200, 400, 1_000];

/** The last answer of the ledger. */
interface Submitted {
  readonly submission: Submission;
  /** There was no earlier submission. */
  readonly isOnly: boolean;
  /** The epoch right after an unknown outcome, if a node reports it. */
  readonly endedIn: bigint | null;
}

/** Executes claimed transactions: begin, check, sign, submit, record the outcome, reply. */
@Injectable()
export class ClaimExecutionsService {
  readonly #begins = new KeyedBatcher<BegunClaim, BegunExecution | null | Error>(
    (sponsor, claims) => beginExecutions(this.redis, sponsor, this.replica.id, claims),
    MAX_BATCH,
  );

  /**
   * `submitWithinMs`: longest time between Redis's confirmation of the claim and the start of a submission.
   */
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly replica: ReplicaIdentity,
    @Inject(EXECUTOR_CONFIG) private readonly settings: ExecutorConfig,
    private readonly signers: Signers,
    private readonly outcomes: OutcomesService,
    private readonly unexecuted: UnexecutedClaimsService,
    private readonly quarantines: QuarantinesService,
    private readonly replies: Replies,
    private readonly metrics: ExecutorMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * May run any number of times for the same job, also concurrently: the ledger executes a digest once and
   * every step names it. Throws `OutcomePending` while the outcome is unknown, with the coins still bound;
   * also the errors of the ledger and Redis.
   */
  async execute(job: ExecuteTransactionJob): Promise<void> {
    const signer = this.signers.find(job.sponsor);
    // A new key may reach this executor later than the coin-pool; another executor may have it.
    if (!signer) {
      const message = `This executor has no key for sponsor ${job.sponsor}`;
      throw new OutcomePending(message, 'elsewhere');
    }
    passFailpoint('executor:before-begin');
    const askedAt = performance.now();
    const begun = await this.begin(job);
    if (!begun) return this.skip(job);
    passFailpoint('executor:after-begin');
    const known = this.replies.findRead(job.digest, begun.txBytes);
    const transaction = recheckClaim(this.ledger, job, begun, known);
    if (transaction instanceof Error) return this.refuseUnsigned(job, begun, transaction);
    const submissions = new SubmissionTimes();
    const execution = { job, begun, askedAt, transaction, signer, submissions };
    if (begun.quarantine) return this.quarantines.resolve(execution, begun.quarantine);
    // The look at the ledger does not wait for a signature, nor the signature for the ledger.
    const signing = this.sign(execution);
    if (begun.resumed && (await this.hasEnded(execution))) return;
    const signature = await signing.catch((error: unknown) => this.defer(job, error as Error));
    const submitted = await this.submit(execution, signature);
    if (submitted === null) return this.skip(job);
    await this.record(execution, submitted);
  }

  /**
   * See `beginExecutions` of the coin store. Simultaneous calls share a script call. Throws `Error` when the
   * stored state is invalid, and Redis's errors.
   */
  async begin(job: ExecuteTransactionJob): Promise<BegunExecution | null> {
    const begun = await this.#begins.add(job.sponsor, job);
    if (begun instanceof Error) throw begun;
    return begun;
  }

  private skip(job: ExecuteTransactionJob): void {
    const reason = 'its claim is settled or released, or another executor quarantined it';
    this.logger.info({ ...job }, `Job skipped: ${reason}`);
  }

  /**
   * Does not sign a transaction that breaks the rules. Coins stay bound if another executor began before,
   * since it may have signed.
   */
  private async refuseUnsigned(
    job: ExecuteTransactionJob,
    { resumed }: BegunExecution,
    { message }: Error,
  ): Promise<void> {
    const fields = { ...job, error: message };
    this.logger.error(fields, 'Claim breaks the sponsorship rules: not signed');
    if (resumed) throw new OutcomePending(message, 'slow');
    await this.unexecuted.refuse(job, message, 'rules');
  }

  /** Throws `SigningFailed`; a caller that does not wait for the signature need not handle that. */
  sign({ signer, transaction }: Execution): Promise<string> {
    const { metrics } = this;
    const signing = metrics.step('sign', () => signer.signTransaction(transaction.bytes));
    signing.catch(() => undefined);
    return signing;
  }

  private async defer(job: ExecuteTransactionJob, error: Error): Promise<never> {
    if (error instanceof SigningFailed) await this.unexecuted.defer(job, error);
    throw error;
  }

  /**
   * Settles a transaction that has landed, and quarantines one whose submissions ended in an earlier epoch.
   */
  private async hasEnded(execution: Execution): Promise<boolean> {
    // Reads the epoch first: a node that has seen it end knows every transaction that landed in it.
    const { epoch } = await this.ledger.status(0);
    if (await this.outcomes.settleIfLanded(execution)) return true;
    const { unknownIn } = execution.begun;
    if (unknownIn === null || unknownIn >= epoch) return false;
    await this.quarantines.begin(execution, { kind: 'unknown', message: '' }, epoch - 1n);
    return true;
  }

  /**
   * Submits. While the outcome is unknown, or validators do not know an object yet, it looks up the digest
   * and submits the same bytes again, a few times in quick succession, but not in a later epoch. Null when
   * the claim has ended meanwhile: nothing was submitted.
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

  /**
   * Stores the submissions so far: the next one may be this process's last act. Never rejects: the next step
   * stores them too.
   */
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
   * Not in a later epoch, which a quarantine would then wait for; and not when the claim has meanwhile ended
   * or been quarantined: its coins may be another transaction's.
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
   * Whether the claim is still this transaction's and not quarantined, by a recent answer of Redis.
   * `askedAt`: time of the last request to Redis; absent: asks now. A process that was paused since then asks
   * again, since a Redis that has lost the claim may have bound the coins to another transaction.
   */
  private async isStillBound(job: ExecuteTransactionJob, askedAt = -Infinity): Promise<boolean> {
    const { submitWithinMs } = this.settings;
    if (performance.now() - askedAt <= submitWithinMs) return true;
    const begun = await retryUntilFresh(submitWithinMs, () => this.begin(job));
    return begun !== null && begun.quarantine === null;
  }

  private async record(
    execution: Execution,
    { submission, isOnly, endedIn }: Submitted,
  ): Promise<void> {
    const { job, submissions } = execution;
    if (submission.kind === 'executed') return this.outcomes.settle(execution, submission.effects);
    // After a single submission, the refusal proves that no validator holds the coins. A refusal after
    // several submissions proves nothing about the other ones.
    if (submission.kind === 'refused' && isOnly) {
      return this.unexecuted.refuse(job, submission.message, 'ledger', submissions);
    }
    // Once the last epoch of all submissions is over, the coins need not wait any longer.
    if (submission.kind === 'unknown') {
      const note = { epoch: endedIn, submissions: submissions.takeAges() };
      await noteUnknown(this.redis, job.sponsor, this.replica.id, job, note);
      throw new OutcomePending(submission.message);
    }
    // An earlier submission may be the reason for this refusal.
    if (!isOnly && (await this.outcomes.settleIfLanded(execution))) return;
    const { epoch } = await this.ledger.status(0);
    await this.quarantines.begin(execution, submission, epoch);
  }
}

function mayChange({ kind }: Submission): boolean {
  return kind === 'unknown' || kind === 'missing';
}
