import {
  type CheckpointData,
  type CheckpointSummary,
  type ExecutedTransaction,
  LedgerService,
} from '../../node-messages/index.js';
import { bcs } from '@iota/iota-sdk/bcs';
import { NodeAnswer } from '../answers/node-answer.js';
import { readCheckpoint } from '../answers/read-checkpoint.js';
import type { NodeCheckpoint, ShownPart, ShownTransaction } from '../client/node-client.js';
import { NodeFailure } from '../transport/node-failure.js';
import { encodeBase58 } from '../../base58/index.js';
import type { StreamedPart } from './grpc-channel.js';
import {
  showTransaction,
  showWithEvents,
  type TransactionJson,
  transactionFields,
} from './grpc-transactions.js';
import type { CalledNode } from './node-layouts.js';

export interface FullCheckpoint {
  readonly checkpoint: NodeCheckpoint;
  readonly transactions: readonly ShownTransaction[];
}

/** The beginning of a checkpoint's summary; of the data about the end of an epoch, whether there are any. */
const Summary = bcs.struct('CheckpointSummary', {
  epoch: bcs.u64(),
  sequenceNumber: bcs.u64(),
  networkTotalTransactions: bcs.u64(),
  contentsDigest: bcs.ObjectDigest,
  previousDigest: bcs.option(bcs.ObjectDigest),
  gasCosts: bcs.fixedArray(5, bcs.u64()),
  timestampMs: bcs.u64(),
  commitments: bcs.vector(
    bcs.enum('CheckpointCommitment', { ECMHLiveObjectSetDigest: bcs.ObjectDigest }),
  ),
  endsEpoch: bcs.bool(),
});
const VersionedSummary = bcs.enum('VersionedCheckpointSummary', { V1: Summary });

const SUMMARY = ['checkpoint.summary.bcs', 'checkpoint.summary.digest'];
/**
 * Of a message. A node ends the stream at a transaction that does not fit, which can still be read by its
 * digest.
 */
const MOST_STREAMED_BYTES = 32 * 2 ** 20;
const DIGESTS = [...SUMMARY, 'transactions.transaction.digest'];
const HEIGHTS = [
  'executed_checkpoint_height',
  'lowest_available_checkpoint',
  'lowest_available_checkpoint_objects',
];

/** Of a checkpoint with all its transactions; the ledger allows 30 MiB without their events and objects. */
const MOST_CHECKPOINT_BYTES = 256 * 2 ** 20;
const CHECKPOINT: StreamedPart<CheckpointData> = {
  mostBytes: MOST_CHECKPOINT_BYTES,
  isEnd: ({ payload }) => payload.case === 'endMarker',
};

/** See `NodeClient.getCheckpoint`. */
export async function fetchCheckpoint(
  { channel, endsAt }: CalledNode,
  number: number,
): Promise<NodeCheckpoint> {
  const request = {
    checkpointId: { case: 'sequenceNumber', value: BigInt(number) },
    readMask: { paths: DIGESTS },
  } as const;
  const { getCheckpoint } = LedgerService.method;
  const stream = channel.stream(getCheckpoint, request, endsAt, undefined, CHECKPOINT);
  for await (const { checkpoint } of assemble(stream, showDigest)) {
    new NodeAnswer('getCheckpoint', checkpoint.sequenceNumber).expect(String(number));
    return checkpoint;
  }
  throw new Error('no checkpoint');
}

/** See `NodeClient.getCheckpoints`. */
export async function fetchCheckpoints(
  { channel, endsAt }: CalledNode,
  cursor: number | null,
  limit: number,
  descending: boolean,
): Promise<NodeCheckpoint[]> {
  const { getServiceInfo, streamCheckpoints } = LedgerService.method;
  const info = await channel.unary(getServiceInfo, { readMask: { paths: HEIGHTS } }, endsAt);
  // Older ones lack the objects that changes are derived from.
  const lowest = info.lowestAvailableCheckpointObjects ?? info.lowestAvailableCheckpoint ?? 0n;
  const newest = info.executedCheckpointHeight ?? 0n;
  const count = BigInt(limit);
  let [first, last] = [lowest, newest];
  if (descending) {
    if (cursor !== null) last = least(newest, BigInt(cursor) - 1n);
    first = greatest(lowest, last - count + 1n);
  } else {
    if (cursor !== null) first = greatest(lowest, BigInt(cursor) + 1n);
    last = least(newest, first + count - 1n);
  }
  if (first > last) return [];
  const request = {
    startSequenceNumber: first,
    endSequenceNumber: last,
    readMask: { paths: DIGESTS },
  };
  const stream = channel.stream(streamCheckpoints, request, endsAt, undefined, CHECKPOINT);
  const found: NodeCheckpoint[] = [];
  for await (const { checkpoint } of assemble(stream, showDigest)) found.push(checkpoint);
  return descending ? found.reverse() : found;
}

/**
 * Every checkpoint from this number on, past and future, with these parts of its transactions, until the node
 * ends the stream. Rejects with `NodeRefusal` where the node does not have the first one or cannot send one
 * because of its size, and otherwise with `NodeFailure`.
 */
export async function* streamCheckpoints(
  node: CalledNode,
  first: number,
  parts: readonly ShownPart[],
  signal: AbortSignal,
): AsyncGenerator<FullCheckpoint> {
  const request = {
    startSequenceNumber: BigInt(first),
    readMask: {
      paths: [...SUMMARY, ...transactionFields(parts).map((path) => `transactions.${path}`)],
    },
    maxMessageSizeBytes: MOST_STREAMED_BYTES,
  };
  const { streamCheckpoints: method } = LedgerService.method;
  const stream = node.channel.stream(method, request, node.endsAt, signal, CHECKPOINT);
  yield* assemble(stream, (one) => showWithEvents(one, parts, node));
}

type Show = (transaction: ExecutedTransaction) => Promise<TransactionJson>;

const showDigest: Show = (one) => Promise.resolve(showTransaction(one, []));

/** A node sends a checkpoint in parts: its summary, batches of transactions, an end marker. */
async function* assemble(
  parts: AsyncIterable<CheckpointData>,
  show: Show,
): AsyncGenerator<FullCheckpoint> {
  let summary: CheckpointSummary | undefined;
  let transactions: ShownTransaction[] = [];
  for await (const { payload } of parts) {
    let checkpoint: NodeCheckpoint;
    try {
      if (payload.case === 'checkpoint') {
        summary = payload.value.summary;
        transactions = [];
      }
      if (payload.case === 'executedTransactions') {
        const page = await Promise.all(payload.value.executedTransactions.map(show));
        transactions.push(...page.map(identified));
      }
      if (payload.case !== 'endMarker') continue;
      if (!summary?.bcs || !summary.digest) throw new Error('no summary');
      checkpoint = showCheckpoint(summary, transactions);
    } catch (error) {
      if (error instanceof NodeFailure) throw error;
      const message = `malformed checkpoint: ${(error as Error).message}`;
      throw new NodeFailure(message, { mayBeProcessed: false, isInvalid: true, cause: error });
    }
    yield { checkpoint, transactions };
  }
}

function identified({ digest, ...parts }: TransactionJson): ShownTransaction {
  if (digest === undefined) throw new Error('a transaction without its digest');
  return { digest, ...parts };
}

function showCheckpoint(
  { bcs: encoded, digest }: CheckpointSummary,
  transactions: readonly ShownTransaction[],
): NodeCheckpoint {
  const summary = VersionedSummary.parse(encoded!.data).V1;
  const { sequenceNumber, previousDigest, epoch, timestampMs } = summary;
  const { networkTotalTransactions, endsEpoch } = summary;
  const json = {
    sequenceNumber,
    digest: encodeBase58(digest!.digest),
    previousDigest,
    epoch,
    timestampMs,
    networkTotalTransactions,
    transactions: transactions.map(({ digest }) => digest),
    ...(endsEpoch && { endOfEpochData: true }),
  };
  return readCheckpoint(new NodeAnswer('checkpoint', json));
}

const least = (one: bigint, other: bigint) => (one < other ? one : other);
const greatest = (one: bigint, other: bigint) => (one > other ? one : other);
