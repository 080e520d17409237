import type { BegunExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { DecodedTransaction, Signer } from '@forecourt/ledger';
import type { SubmissionTimes } from './submission-times.js';

/** One claim that this executor works on. */
export interface Execution {
  readonly job: ExecuteTransactionJob;
  readonly begun: BegunExecution;
  /** Time of this process's request to Redis to begin it, on the clock of `performance.now()`. */
  readonly askedAt: number;
  readonly transaction: DecodedTransaction;
  readonly signer: Signer;
  readonly submissions: SubmissionTimes;
}
