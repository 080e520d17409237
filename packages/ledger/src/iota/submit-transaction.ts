import { type IotaClient, JsonRpcError } from '@iota/iota-sdk/client';
import { toBase64 } from '@iota/iota-sdk/utils';
import type { TransactionEffects } from '../transaction-effects.js';
import type { Submission } from '../submission.js';
import { classifyRefusal } from './classify-refusal.js';
import { findTransaction } from './find-transaction.js';
import { transactionDigest } from './hash.js';
import { describeFailure } from './node-client.js';

/** The node did not read it. */
const PAYLOAD_TOO_LARGE = 413;

/** See `Ledger.submit`. */
export async function submitTransaction(
  client: IotaClient,
  bytes: Uint8Array,
  signatures: readonly string[],
): Promise<Submission> {
  try {
    const { effects } = await client.executeTransactionBlock({
      transactionBlock: toBase64(bytes),
      signature: [...signatures],
      options: { showEffects: true },
      requestType: 'WaitForEffectsCert',
    });
    if (!effects) return { kind: 'unknown', message: 'the node answered without effects' };
    return { kind: 'executed', effects: effects as unknown as TransactionEffects };
  } catch (cause) {
    if (!(cause instanceof JsonRpcError)) {
      const { status } = cause as { status?: number };
      const message = describeFailure(cause);
      return { kind: status === PAYLOAD_TOO_LARGE ? 'refused' : 'unknown', message };
    }
    const { kind, message } = classifyRefusal(cause.code, cause.message);
    return kind === 'finalized' ? findFinalized(client, bytes, message) : { kind, message };
  }
}

/** It has landed with other signatures: for the coins that is the same as with ours. */
async function findFinalized(
  client: IotaClient,
  bytes: Uint8Array,
  message: string,
): Promise<Submission> {
  try {
    const found = await findTransaction(client, transactionDigest(bytes));
    return found ? { kind: 'executed', effects: found.effects } : { kind: 'unknown', message };
  } catch {
    return { kind: 'unknown', message };
  }
}
