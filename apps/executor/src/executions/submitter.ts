import { setTimeout as delay } from 'node:timers/promises';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { type Ledger, paymentOf, type Submission } from '@forecourt/ledger';
import { untilRecent } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { Logger } from '@forecourt/runtime/service';
import type { ExecutorMetrics } from '../metrics/executor-metrics.js';
import type { Execution } from './execution.js';
import type { ExecutionStore } from './execution-store.js';

const QUICK_RETRIES_MS = [200, 400, 1_000];

/** The last answer of the ledger. */
export interface Submitted {
  readonly submission: Submission;
  /** There was no earlier submission. */
  readonly isOnly: boolean;
  /** The epoch right after an unknown outcome, if a node reports it. */
  readonly endedIn: bigint | null;
}

/** Signs transactions and submits them to the ledger. */
export class Submitter {
  /** `submitWithinMs`: longest time between Redis's confirmation of the claim and the start of a submission. */
  constructor(
    private readonly ledger: Pick<Ledger, 'findTransaction' | 'status' | 'submit'>,
    private readonly store: Pick<ExecutionStore, 'begin' | 'noteSubmissions'>,
    private readonly submitWithinMs: number,
    private readonly metrics: ExecutorMetrics,
    private readonly logger: Logger,
  ) {}

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
      if (!isOnly) await this.store.noteSubmissions(execution);
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
    if (performance.now() - askedAt <= this.submitWithinMs) return true;
    const begun = await untilRecent(this.submitWithinMs, () => this.store.begin(job));
    return begun !== null && begun.quarantine === null;
  }
}

function mayChange({ kind }: Submission): boolean {
  return kind === 'unknown' || kind === 'missing';
}
