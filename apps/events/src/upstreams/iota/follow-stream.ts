import { compareEventIds, type EventId, type StoredEventRecord } from '@forecourt/contracts';
import { type GrpcChannel, streamCheckpoints } from '@forecourt/ledger';
import { upstreamError } from '../call-node.js';
import { isNotFound, TransactionInconvertible, UpstreamFailed } from '../upstream-errors.js';
import type { CheckpointChain } from '../checkpoint-chain.js';
import { checkNeighbours, type Checkpoints, type KnownCheckpoints } from './checkpoints.js';
import { firstTxSeq, linkOf } from './derive-records.js';
import { numberAfter } from './follow-checkpoints.js';
import { type NodeCheckpoint, type NodeTransaction, readCheckpoint } from './node-json.js';
import { readRecords } from './transactions.js';

const SHOWN = { showInput: true, showEffects: true, showEvents: true, showObjectChanges: true };
const STREAM = 'StreamCheckpoints';

export interface StreamedNode {
  readonly channel: GrpcChannel;
  readonly checkpoints: Checkpoints;
  readonly known: KnownCheckpoints;
}

/**
 * The events of every checkpoint from the one that contains `from`, as long as they continue `chain`, out of one stream,
 * which carries everything that events are derived from. Throws `UpstreamLacks` at a checkpoint that the node does not have, naming the lowest that it
 * has, or at a transaction that it cannot show, after all earlier ones.
 */
export async function* followStream(
  from: EventId,
  signal: AbortSignal,
  { channel, checkpoints, known }: StreamedNode,
  chain: CheckpointChain,
): AsyncGenerator<readonly StoredEventRecord[]> {
  let next = numberAfter(chain, from) ?? (await findStart(from, checkpoints));
  let before: NodeCheckpoint | null = null;
  yield [];
  try {
    for await (const { checkpoint: shown, transactions } of streamCheckpoints(
      channel,
      next,
      SHOWN,
      signal,
    )) {
      const checkpoint = readCheckpoint(shown);
      if (Number(checkpoint.sequenceNumber) !== next) {
        const reason = `the stream continues with ${checkpoint.sequenceNumber}`;
        throw await checkpoints.whyAbsent(next, reason);
      }
      const link = linkOf(checkpoint);
      chain.link([link]);
      if (before) checkNeighbours(before, checkpoint, 1);
      known.sealed.set(next, checkpoint);
      const { records, failure } = convert(transactions as NodeTransaction[], checkpoint, from);
      yield records;
      if (failure) throw failure;
      chain.delivered(link);
      before = checkpoint;
      next += 1;
    }
  } catch (error) {
    const failure = upstreamError(error, STREAM);
    throw isNotFound(failure) ? await checkpoints.whyAbsent(next, failure.message) : failure;
  }
  if (!signal.aborted) throw new UpstreamFailed('the ledger node has ended the stream');
}

/** The number of the checkpoint that contains `from`. */
async function findStart({ txSeq }: EventId, checkpoints: Checkpoints): Promise<number> {
  // Read first: no checkpoint may contain the transaction yet.
  const latest = await checkpoints.latest();
  return (await checkpoints.containing(txSeq)) ?? latest;
}

/** The events from `from` on, up to the first transaction that the node cannot show. */
function convert(
  transactions: readonly NodeTransaction[],
  checkpoint: NodeCheckpoint,
  from: EventId,
): { records: readonly StoredEventRecord[]; failure: TransactionInconvertible | null } {
  const first = firstTxSeq(checkpoint);
  const records: StoredEventRecord[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const txSeq = first + index;
    if (txSeq < from.txSeq) continue;
    const found = readRecords({ checkpoint }, transaction);
    if ('reason' in found) {
      const failure = new TransactionInconvertible(transaction.digest, txSeq, found.reason);
      return { records, failure };
    }
    records.push(...found.filter(({ id }) => compareEventIds(id, from) >= 0));
  }
  return { records, failure: null };
}
