import {
  type BegunExecution,
  type CoinStoreRedis,
  noteUnknown,
  PoolTooNew,
  requireReadablePool,
} from '@forecourt/coin-store';
import { type ExecuteTransactionJob, ForecourtError } from '@forecourt/contracts';
import {
  type DecodedTransaction,
  InvalidTransactionBytes,
  type Ledger,
  SigningFailed,
} from '@forecourt/ledger';
import { checkSponsorship } from '@forecourt/policy/sponsorship';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { LEDGER } from '@forecourt/runtime/ledger';
import {
  type Logger,
  LOGGER,
  REDIS,
  ReplicaIdentity,
  retryUntilAvailable,
} from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { Inject, Injectable } from '@nestjs/common';
import { OutcomePending } from './outcome-pending.js';
import { OutcomesService } from './outcomes.service.js';
import { QuarantinesService } from './quarantines.service.js';
import { type Execution, Submissions, type Submitted, Submitter } from './submitter.js';

/** Executes claimed transactions: begin, check, sign, submit, record the outcome, reply. */
@Injectable()
export class ExecutionsService {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'decodeTransaction' | 'status'>,
    @Inject(ReplicaIdentity) private readonly replica: Pick<ReplicaIdentity, 'id'>,
    @Inject(Signers) private readonly signers: Pick<Signers, 'configured' | 'find'>,
    private readonly submitter: Submitter,
    private readonly outcomes: OutcomesService,
    private readonly quarantines: QuarantinesService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves once this release can read the pool of every sponsor; waits for Redis. Throws `PoolTooNew`. */
  async untilPoolsReadable(): Promise<void> {
    const isOutage = (error: unknown) => !(error instanceof PoolTooNew);
    const outage = { service: 'Redis', isOutage, logger: this.logger };
    for (const { address } of this.signers.configured) {
      await retryUntilAvailable(outage, () => requireReadablePool(this.redis, address));
    }
  }

  /**
   * May run any number of times for the same job, also concurrently: the ledger executes a digest once and every step
   * names it. Throws `OutcomePending` while the outcome is unknown, with the coins still bound; also the errors of the
   * ledger and Redis.
   */
  async execute(job: ExecuteTransactionJob): Promise<void> {
    const signer = this.signers.find(job.sponsor);
    // A new key may reach this executor later than the coin-pool; another executor may have it.
    if (!signer) throw new OutcomePending(`This executor has no key for sponsor ${job.sponsor}`);
    passFailpoint('executor:before-begin');
    const askedAt = performance.now();
    const begun = await this.submitter.begin(job);
    if (!begun) return this.skip(job);
    passFailpoint('executor:after-begin');
    const checked = this.recheck(job, begun);
    if ('breach' in checked) return this.refuseUnsigned(job, begun, checked.breach);
    const { transaction } = checked;
    const submissions = new Submissions();
    const execution = { job, begun, askedAt, transaction, signer, submissions };
    if (begun.quarantine) return this.quarantines.resolve(execution, begun.quarantine);
    // The look at the ledger does not wait for a signature, nor the signature for the ledger.
    const signing = this.submitter.sign(execution);
    if (begun.resumed && (await this.hasEnded(execution))) return;
    const signature = await signing.catch((error: unknown) => this.defer(job, error as Error));
    const submitted = await this.submitter.submit(execution, signature);
    if (submitted === null) return this.skip(job);
    await this.record(execution, submitted);
  }

  /** Checks the bytes against the rules once more before they are signed. The ledger checks the expiration. */
  private recheck(
    job: ExecuteTransactionJob,
    begun: BegunExecution,
  ): { readonly transaction: DecodedTransaction } | { readonly breach: Error } {
    try {
      const transaction = this.ledger.decodeTransaction(Buffer.from(begun.txBytes, 'base64'));
      const { digest } = transaction;
      if (digest !== job.digest) {
        return { breach: new Error(`The transaction's digest is ${digest}, not ${job.digest}`) };
      }
      checkSponsorship(transaction, { ...begun, sponsor: job.sponsor }, null);
      return { transaction };
    } catch (breach) {
      if (breach instanceof ForecourtError || breach instanceof InvalidTransactionBytes) {
        return { breach };
      }
      throw breach;
    }
  }

  private async defer(job: ExecuteTransactionJob, error: Error): Promise<never> {
    if (error instanceof SigningFailed) await this.outcomes.defer(job, error);
    throw error;
  }

  /** Settles a transaction that has landed, and quarantines one whose submissions ended in an earlier epoch. */
  private async hasEnded(execution: Execution): Promise<boolean> {
    // Reads the epoch first: a node that has seen it end knows every transaction that landed in it.
    const { epoch } = await this.ledger.status(0);
    if (await this.outcomes.settleIfLanded(execution)) return true;
    const { unknownIn } = execution.begun;
    if (unknownIn === null || unknownIn >= epoch) return false;
    await this.quarantines.begin(execution, { kind: 'unknown', message: '' }, epoch - 1n);
    return true;
  }

  private async record(
    execution: Execution,
    { submission, isOnly, endedIn }: Submitted,
  ): Promise<void> {
    const { job, submissions } = execution;
    if (submission.kind === 'executed') return this.outcomes.settle(execution, submission.effects);
    // After a single submission, the refusal proves that no validator holds the coins. A refusal after several
    // submissions proves nothing about the other ones.
    if (submission.kind === 'refused' && isOnly) {
      return this.outcomes.refuse(job, submission.message, 'ledger', submissions);
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

  private skip(job: ExecuteTransactionJob): void {
    const reason = 'its claim is settled or released, or another executor quarantined it';
    this.logger.info({ ...job }, `Job skipped: ${reason}`);
  }

  /**
   * Does not sign a transaction that breaks the rules. Coins stay bound if another executor began before, since it
   * may have signed.
   */
  private async refuseUnsigned(
    job: ExecuteTransactionJob,
    { resumed }: BegunExecution,
    { message }: Error,
  ): Promise<void> {
    const fields = { ...job, error: message };
    this.logger.error(fields, 'Claim breaks the sponsorship rules: not signed');
    if (resumed) throw new OutcomePending(message, 'slow');
    await this.outcomes.refuse(job, message, 'rules');
  }
}
