import type { IotaClient, IotaTransactionBlockResponse } from '@iota/iota-sdk/client';
import type { TransactionEffects } from '../transaction-effects.js';
import type { Submission } from '../submission.js';
import { classifyRefusal } from './classify-refusal.js';
import { findTransaction } from './find-transaction.js';
import { transactionDigest } from './hash.js';
import { NodeRefusal } from './nodes/node-errors.js';

/** See `Ledger.submit`. */
export async function submitTransaction(
  client: IotaClient,
  bytes: Uint8Array,
  signatures: readonly string[],
): Promise<Submission> {
  try {
    // The SDK's own method leaves out the request type, and then nodes differ in what they wait for.
    const { effects } = await client.call<IotaTransactionBlockResponse>(
      'iota_executeTransactionBlock',
      [
        Buffer.from(bytes).toString('base64'),
        signatures,
        { showEffects: true },
        'WaitForEffectsCert',
      ],
    );
    if (!effects) return { kind: 'unknown', message: 'the node answered without effects' };
    return { kind: 'executed', effects: effects as unknown as TransactionEffects };
  } catch (error) {
    if (!(error instanceof NodeRefusal)) return { kind: 'unknown', message: textOf(error) };
    const { kind, message } = classifyRefusal(error);
    return kind === 'finalized' ? findFinalized(client, bytes, message) : { kind, message };
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
