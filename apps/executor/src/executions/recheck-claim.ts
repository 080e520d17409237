import type { BegunExecution } from '@forecourt/coin-store';
import { type ExecuteTransactionJob, ForecourtError } from '@forecourt/contracts';
import { type DecodedTransaction, InvalidTransactionBytes, type Ledger } from '@forecourt/ledger';
import { checkSponsorship } from '@forecourt/policy/sponsorship';

/**
 * Checks the bytes of a claim against the rules once more before they are signed; returns the error of the
 * broken rule. The ledger checks the expiration. `known`: the transaction if this process has decoded exactly
 * these bytes.
 */
export function recheckClaim(
  ledger: Ledger,
  job: ExecuteTransactionJob,
  begun: BegunExecution,
  known: DecodedTransaction | null,
): DecodedTransaction | Error {
  try {
    const transaction = known ?? ledger.decodeTransaction(Buffer.from(begun.txBytes, 'base64'));
    const { digest } = transaction;
    if (digest !== job.digest) {
      return new Error(`The transaction's digest is ${digest}, not ${job.digest}`);
    }
    checkSponsorship(transaction, { ...begun, sponsor: job.sponsor }, null);
    return transaction;
  } catch (breach) {
    if (breach instanceof ForecourtError || breach instanceof InvalidTransactionBytes)
      return breach;
    throw breach;
  }
}
