import { compareEventIds, type EventId, type StoredEventRecord } from '@forecourt/contracts';
import type { GrpcTransport } from '@forecourt/ledger';
import { upstreamError } from '../call-node.js';
import {
  isNotFound,
  isUnreadable,
  TransactionInconvertible,
  UpstreamFailed,
  type UnsupportedByUpstream,
} from '../upstream-errors.js';
import type { CheckpointChain } from '../event-source.js';
import { checkNeighbours, type Checkpoints, type KnownCheckpoints } from './checkpoints.js';
import { firstTxSeq, linkOf } from './derive-records.js';
import { numberAfter } from './follow-checkpoints.js';
import { type NodeCheckpoint, type NodeTransaction, readCheckpoint } from './node-json.js';
import { readRecords, type Transactions } from './transactions.js';

const SHOWN = { showInput: true, showEffects: true, showEvents: true, showObjectChanges: true };
const STREAM = 'StreamCheckpoints';

export interface StreamedNode {
  readonly grpc: Pick<GrpcTransport, 'streamCheckpoints'>;
  readonly checkpoints: Checkpoints;
  readonly transactions: Transactions;
  readonly known: KnownCheckpoints;
}

/** A checkpoint and its events from the beginning on, up to the first transaction that the node cannot show. */
interface ReadCheckpoint {
  readonly checkpoint: NodeCheckpoint;
  readonly records: readonly StoredEventRecord[];
  readonly failure: UnsupportedByUpstream | null;
}

/**
 * The events of every checkpoint from the one that contains `from`, as long as they continue `chain`, out of one stream,
 * which carries everything that events are derived from. Throws `UnsupportedByUpstream` at a checkpoint that the node does not have, naming the lowest that it
 * has, or at a transaction that it cannot show, after all earlier ones.
 */
export async function* followStream(
  from: EventId,
  signal: AbortSignal,
  node: StreamedNode,
  chain: CheckpointChain,
): AsyncGenerator<readonly StoredEventRecord[]> {
  const { checkpoints, known } = node;
  const first = numberAfter(chain) ?? (await findStart(from, checkpoints));
  let before: NodeCheckpoint | null = null;
  yield [];
  for await (const { checkpoint, records, failure } of readFrom(first, from, signal, node)) {
    const link = linkOf(checkpoint);
    chain.link([link]);
    if (before) checkNeighbours(before, checkpoint, 1);
    known.sealed.set(link.number, checkpoint);
    yield records;
    if (failure) throw failure;
    chain.delivered(link);
    before = checkpoint;
  }
}

async function* readFrom(
  first: number,
  from: EventId,
  signal: AbortSignal,
  node: StreamedNode,
): AsyncGenerator<ReadCheckpoint> {
  const { grpc, checkpoints } = node;
  let next = first;
  while (!signal.aborted) {
    try {
      for await (const shown of grpc.streamCheckpoints(next, SHOWN, signal)) {
        const checkpoint = readCheckpoint(shown.checkpoint);
        if (Number(checkpoint.sequenceNumber) !== next) {
          const reason = `the stream continues with ${checkpoint.sequenceNumber}`;
          throw await checkpoints.whyAbsent(next, reason);
        }
        yield convert(shown.transactions as NodeTransaction[], checkpoint, from);
        next += 1;
      }
    } catch (error) {
      const refusal = upstreamError(error, STREAM);
      if (isNotFound(refusal)) throw await checkpoints.whyAbsent(next, refusal.message);
      if (!isUnreadable(refusal)) throw refusal;
      yield await readRefused(next, from, node, refusal);
      next += 1;
      continue;
    }
    if (!signal.aborted) throw new UpstreamFailed('the ledger node has ended the stream');
  }
}

/**
 * A checkpoint that the node refuses to stream because of one of its transactions, which may be too large: its
 * transactions, read by their digests. Throws the refusal if the node has no such checkpoint yet.
 */
async function readRefused(
  number: number,
  from: EventId,
  { checkpoints, transactions }: StreamedNode,
  refusal: UpstreamFailed,
): Promise<ReadCheckpoint> {
  if (number > (await checkpoints.latest())) throw refusal;
  const checkpoint = await checkpoints.get(number);
  const { records, failure } = await transactions.inCheckpoints([checkpoint], {
    startTxSeq: from.txSeq,
  });
  const wanted = records.flat().filter(({ id }) => compareEventIds(id, from) >= 0);
  return { checkpoint, records: wanted, failure };
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
): ReadCheckpoint {
  const first = firstTxSeq(checkpoint);
  const records: StoredEventRecord[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const txSeq = first + index;
    if (txSeq < from.txSeq) continue;
    const found = readRecords({ checkpoint }, transaction);
    if ('reason' in found) {
      const failure = new TransactionInconvertible(transaction.digest, txSeq, found.reason);
      return { checkpoint, records, failure };
    }
    records.push(...found.filter(({ id }) => compareEventIds(id, from) >= 0));
  }
  return { checkpoint, records, failure: null };
}
