import { type ExpectedPayment, paymentOf } from '../../../expected-payment.js';
import { InvalidTransactionBytes } from '../../../ledger-errors.js';
import { decodeTransaction } from './decode-transaction.js';

/** The payment that the bytes of a transaction state; undefined where they are none of a user. */
export function readPayment(bytes: Uint8Array): ExpectedPayment | undefined {
  try {
    return paymentOf(decodeTransaction(bytes));
  } catch (error) {
    if (error instanceof InvalidTransactionBytes) return undefined;
    throw error;
  }
}
