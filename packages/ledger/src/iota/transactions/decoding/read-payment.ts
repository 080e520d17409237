import { type ExpectedPayment, paymentOf } from '../../../expected-payment.js';
import { InvalidTransactionBytes } from '../../../invalid-transaction-bytes.js';
import { decodeTransaction } from './decode-transaction.js';

/** The payment that the bytes of a transaction state; undefined for other bytes than a user’s transaction. */
export function readPayment(bytes: Uint8Array): ExpectedPayment | undefined {
  try {
    return paymentOf(decodeTransaction(bytes));
  } catch (error) {
    if (error instanceof InvalidTransactionBytes) return undefined;
    throw error;
  }
}
