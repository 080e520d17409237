import type { LedgerStatus, Submission } from '../../ledger.js';
import { readPayment } from './decoding/read-payment.js';
import { classifyRefusal, isRefusedWithinEpoch } from '../nodes/classify-refusal.js';
import { findTransaction } from './find-transaction.js';
import { transactionDigest } from './decoding/transaction-digest.js';
import type { LedgerNodes } from '../nodes/ledger-nodes.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { isOfAbstractAccount } from '../signatures/user-signatures.js';

/** How far the clocks of this machine and of the ledger may differ, and how long a node may lag. */
const CLOCKS_DIFFER_MS = 60_000;

type EpochTimes = Pick<LedgerStatus, 'epochStartedAt' | 'epochEndsAt'>;

/** See `Ledger.submit`. `readEpoch`: asks a node for the present epoch. */
export async function submitTransaction(
  client: LedgerNodes,
  bytes: Uint8Array,
  signatures: readonly string[],
  readEpoch: () => Promise<EpochTimes>,
): Promise<Submission> {
  const startedAt = Date.now();
  try {
    return { kind: 'executed', effects: await client.execute(bytes, signatures) };
  } catch (error) {
    if (!(error instanceof NodeRefusal)) return { kind: 'unknown', message: textOf(error) };
    const { kind, message } = classifyRefusal(error);
    if (kind === 'finalized') return findFinalized(client, bytes, message);
    const isRefused =
      kind === 'refused' ||
      (isRefusedWithinEpoch(error) && (await wasWithinEpoch(startedAt, readEpoch)));
    if (!isRefused) return { kind, message };
    // The verdict of an authenticator can change with the objects that it reads: some validators may have
    // accepted the transaction, and the others may accept it later.
    return { kind: signatures.some(isOfAbstractAccount) ? 'conflict' : 'refused', message };
  }
}

/** Whether the epoch has not changed since then, whatever the clocks. */
async function wasWithinEpoch(
  startedAt: number,
  readEpoch: () => Promise<EpochTimes>,
): Promise<boolean> {
  const epoch = await readEpoch().catch(() => null);
  if (epoch === null) return false;
  const { epochStartedAt, epochEndsAt } = epoch;
  return (
    epochStartedAt + CLOCKS_DIFFER_MS < startedAt && Date.now() + CLOCKS_DIFFER_MS < epochEndsAt
  );
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** It has landed with other signatures, which is equivalent for the coins. */
async function findFinalized(
  client: LedgerNodes,
  bytes: Uint8Array,
  message: string,
): Promise<Submission> {
  try {
    const digest = transactionDigest(bytes);
    const found = await client.confirmed((node) =>
      findTransaction(node, digest, readPayment(bytes)),
    );
    return found ? { kind: 'executed', effects: found.effects } : { kind: 'unknown', message };
  } catch {
    return { kind: 'unknown', message };
  }
}
