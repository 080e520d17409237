import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutedTransaction } from '../engine/engine-interface.js';
import type { ServedNode } from './served-node.js';

const MOST_MS = 60_000;

export interface Submitted {
  readonly transaction: ExecutedTransaction;
  /** Whether it had been executed before. */
  readonly isRepeated: boolean;
}

/** For how long a caller wants to wait, within a node's limit. */
export function inclusionMs(requestedMs: bigint | undefined): number {
  return Math.min(Number(requestedMs ?? 0n), MOST_MS);
}

/**
 * Waits for the checkpoints of a batch, and returns which of its transactions are shown with theirs. Nodes
 * learn of an inclusion only when they look: they wait for the whole time unless every transaction was known
 * with its checkpoint before. Without a time they look for no checkpoint.
 */
export async function untilIncluded(
  { engine, fullNode, faultyCalls }: ServedNode,
  submitted: readonly Submitted[],
  waitMs: number,
  cancelled: AbortSignal,
): Promise<(transaction: ExecutedTransaction) => boolean> {
  const isIncluded = ({ digest }: ExecutedTransaction) => {
    const checkpoint = engine.getTransaction(digest)?.checkpoint ?? Infinity;
    return checkpoint <= fullNode.latestCheckpoint.sequenceNumber;
  };
  if (waitMs === 0) return () => false;
  const isKnown = submitted.every(
    ({ transaction, isRepeated }) => isRepeated && isIncluded(transaction),
  );
  if (!isKnown) await sleep(waitMs, undefined, { signal: cancelled }).catch(() => undefined);
  // A fault that lets reads lag hides checkpoints as well.
  const isHidden = faultyCalls.faults.peek('lag') !== null;
  return (transaction) => !isHidden && isIncluded(transaction);
}
