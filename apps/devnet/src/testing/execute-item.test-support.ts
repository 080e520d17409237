import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ExecuteTransactionItemSchema,
  type Status,
  TransactionExecutionService,
} from '@forecourt/ledger/node-messages';
import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase64 } from '@iota/iota-sdk/utils';
import type { GrpcTestClient } from './grpc-test-client.test-support.js';
import type { SignedTransfer } from './signed-transfer.test-support.js';

/** A signed transaction as an item of `ExecuteTransactions`. */
export function executeItem({ params: [bytes, signatures] }: Pick<SignedTransfer, 'params'>) {
  return {
    transaction: { bcs: { data: fromBase64(bytes) } },
    signatures: { signatures: signatures.map((one) => ({ bcs: { data: signatureBcs(one) } })) },
  };
}

/** A signature in base64 as nodes take it, with its length in front. */
export function signatureBcs(signature: string): Uint8Array {
  return bcs.byteVector().serialize(fromBase64(signature)).toBytes();
}

export type Item = MessageInitShape<typeof ExecuteTransactionItemSchema>;

/** The error with which a node refuses an item. */
export async function refusalOfItem(client: GrpcTestClient, item: Item): Promise<Status> {
  const { executeTransactions } = TransactionExecutionService.method;
  const { transactionResults } = await client.unary(executeTransactions, { transactions: [item] });
  const { result } = transactionResults[0]!;
  if (result.case !== 'error') throw new Error('the transaction was executed');
  return result.value;
}
