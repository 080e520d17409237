import { fromBase64 } from '@iota/iota-sdk/utils';
import type { SignedTransfer } from './signed-transfer.test-support.js';

/** A signed transaction as an item of `ExecuteTransactions`. */
export function executeItem({ params: [bytes, signatures] }: Pick<SignedTransfer, 'params'>) {
  return {
    transaction: { bcs: { data: fromBase64(bytes) } },
    signatures: { signatures: signatures.map((one) => ({ bcs: { data: fromBase64(one) } })) },
  };
}
