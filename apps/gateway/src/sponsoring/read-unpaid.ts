import {
  canonicalAddress,
  ForecourtError,
  type UnpaidTransactionRequest,
} from '@forecourt/contracts';
import type { Ledger, UnsignedTransaction } from '@forecourt/ledger';
import { requireOwnSender } from '../access/caller-limits.js';
import type { SponsoringCall } from './reservations.service.js';
import { decodeTxBytes, readKindBytes } from './transaction-fields.js';

/**
 * Reads the transaction of a request to dry-run or to build, without its gas data.
 * Throws INVALID_REQUEST, FORBIDDEN, `InvalidTransactionBytes`.
 */
export function readUnpaid(
  ledger: Ledger,
  { caller, refusal }: SponsoringCall,
  request: UnpaidTransactionRequest,
): Omit<UnsignedTransaction, 'gas'> {
  const { kind_bytes: kind, tx_bytes: whole } = request;
  const sender = canonicalAddress(request.sender)!;
  refusal.sender = sender;
  if ((kind == null) === (whole == null)) {
    throw new ForecourtError('INVALID_REQUEST', 'Give exactly one of kind_bytes and tx_bytes');
  }
  const transaction = whole == null ? null : decodeTxBytes(ledger, whole);
  if (transaction && transaction.sender !== sender) {
    const problem = `sender is ${sender}, but that of tx_bytes is ${transaction.sender}`;
    throw new ForecourtError('INVALID_REQUEST', problem);
  }
  requireOwnSender(caller, sender);
  const kindBytes = transaction ? ledger.kindBytesOf(transaction) : readKindBytes(ledger, kind!);
  return { kindBytes, sender, expirationEpoch: transaction?.expirationEpoch ?? null };
}
