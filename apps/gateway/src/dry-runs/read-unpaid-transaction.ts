import {
  canonicalAddress,
  ForecourtError,
  type UnpaidTransactionRequest,
} from '@forecourt/contracts';
import type { Ledger, UnsignedTransaction } from '@forecourt/ledger';

type UnpaidTransaction = Omit<UnsignedTransaction, 'gas'>;

/**
 * The transaction of a request to dry-run or to build, without its gas data.
 * Throws INVALID_REQUEST, `InvalidTransactionBytes`.
 */
export function readUnpaidTransaction(
  ledger: Pick<Ledger, 'decodeTransaction' | 'kindBytesOf'>,
  { sender: given, kind_bytes: kind, tx_bytes: whole }: UnpaidTransactionRequest,
): UnpaidTransaction {
  const sender = canonicalAddress(given)!;
  if ((kind == null) === (whole == null)) {
    throw new ForecourtError('INVALID_REQUEST', 'Give exactly one of kind_bytes and tx_bytes');
  }
  if (kind != null) {
    return { kindBytes: Buffer.from(kind, 'base64'), sender, expirationEpoch: null };
  }
  const transaction = ledger.decodeTransaction(Buffer.from(whole!, 'base64'));
  if (transaction.sender !== sender) {
    const problem = `sender is ${sender}, but that of tx_bytes is ${transaction.sender}`;
    throw new ForecourtError('INVALID_REQUEST', problem);
  }
  const { expirationEpoch } = transaction;
  return { kindBytes: ledger.kindBytesOf(transaction), sender, expirationEpoch };
}
