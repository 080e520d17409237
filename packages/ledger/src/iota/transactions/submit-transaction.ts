import type { Submission } from '../../ledger-submitter.js';
import { classifyRefusal } from './classify-refusal.js';
import { findTransaction, readEffects } from './find-transaction.js';
import { transactionDigest } from '../transaction-digest.js';
import type { NodeClient } from '../nodes/ledger-nodes.js';
import { NodeAnswer } from '../nodes/node-answer.js';
import { NodeRefusal } from '../transport/node-errors.js';
import { isOfAbstractAccount } from '../signatures/read-abstract-account.js';

const SUBMIT = 'iota_executeTransactionBlock';

/** See `Ledger.submit`. */
export async function submitTransaction(
  client: NodeClient,
  bytes: Uint8Array,
  signatures: readonly string[],
): Promise<Submission> {
  try {
    // The SDK's own method omits the request type, and nodes differ in the default.
    const answer = await client.call<unknown>(SUBMIT, [
      Buffer.from(bytes).toString('base64'),
      signatures,
      { showEffects: true },
      'WaitForEffectsCert',
    ]);
    // After a malformed answer the transaction may still have been executed.
    const effects = readEffects(new NodeAnswer(SUBMIT, answer).field('effects'));
    return { kind: 'executed', effects };
  } catch (error) {
    if (!(error instanceof NodeRefusal)) return { kind: 'unknown', message: textOf(error) };
    const { kind, message } = classifyRefusal(error);
    if (kind === 'finalized') return findFinalized(client, bytes, message);
    // The verdict of an authenticator can change with the objects that it reads: some validators may have accepted the
    // transaction, and the others may accept it later.
    const mayChange = kind === 'refused' && signatures.some(isOfAbstractAccount);
    return { kind: mayChange ? 'conflict' : kind, message };
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** It has landed with other signatures, which is equivalent for the coins. */
async function findFinalized(
  client: NodeClient,
  bytes: Uint8Array,
  message: string,
): Promise<Submission> {
  try {
    const digest = transactionDigest(bytes);
    const found = await client.confirmed((node) => findTransaction(node, digest));
    return found ? { kind: 'executed', effects: found.effects } : { kind: 'unknown', message };
  } catch {
    return { kind: 'unknown', message };
  }
}
