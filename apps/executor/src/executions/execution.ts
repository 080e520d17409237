import type { BegunExecution } from '@forecourt/coin-store';
import { type ExecuteTransactionJob, ForecourtError } from '@forecourt/contracts';
import {
  type DecodedTransaction,
  InvalidTransactionBytes,
  type Ledger,
  type Signer,
} from '@forecourt/ledger';
import { checkSponsorship } from '@forecourt/policy/sponsorship';
import type { Submissions } from './submissions.js';

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

/** Checks the bytes against the rules once more before they are signed. The ledger checks the expiration. */
export function recheckClaim(
  ledger: Pick<Ledger, 'decodeTransaction'>,
  job: ExecuteTransactionJob,
  begun: BegunExecution,
): { readonly transaction: DecodedTransaction } | { readonly breach: Error } {
  try {
    const transaction = ledger.decodeTransaction(Buffer.from(begun.txBytes, 'base64'));
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
