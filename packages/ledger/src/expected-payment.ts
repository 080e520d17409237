import type { ObjectReference } from './object-reference.js';
import type { DecodedTransaction } from './decoded-transaction.js';

/** The payment of a transaction, as far as it is known. */
export interface ExpectedPayment {
  /**
   * The ledger merges them into the first one, which is the gas coin of the effects, also after a failure.
   */
  readonly gasPayment: readonly Pick<ObjectReference, 'objectId' | 'version'>[];
  readonly gasOwner: string;
  /** In the smallest unit; absent: unknown. */
  readonly gasBudget?: bigint;
  /** Whether the gas coin may be another owner's afterwards. */
  readonly maySendGasCoin: boolean;
}

/** Gas coins leave their owner only by this command. */
const SENDING = '(TransferObjects)';

/** The payment that a transaction states. */
export function paymentOf(transaction: DecodedTransaction): ExpectedPayment {
  const { gasPayment, gasOwner, gasBudget, gasCoinUses } = transaction;
  const maySendGasCoin = gasCoinUses.some((use) => use.includes(SENDING));
  return { gasPayment, gasOwner, gasBudget, maySendGasCoin };
}
