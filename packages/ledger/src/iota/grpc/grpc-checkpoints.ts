import {
  type CheckpointData,
  type CheckpointSummary,
  type ExecutedTransaction,
  LedgerService,
} from '../../node-messages/index.js';
import { bcs } from '@iota/iota-sdk/bcs';
import { MOST_CHECKPOINT_BYTES } from '../transport/answer-bounds.js';
import { NodeFailure } from '../transport/node-failure.js';
import { encodeBase58 } from '../../base58/index.js';
import type { StreamedPart } from './grpc-channel.js';
import {
  type ShowOptions,
  showTransaction,
  showWithEvents,
  transactionFields,
} from './grpc-transactions.js';
import type { CalledNode } from './node-layouts.js';

/** A checkpoint in the form of `iota_getCheckpoint`, without its signature and costs. */
export interface ShownCheckpoint {
  readonly sequenceNumber: string;
  readonly digest: string;
  /** Null for the first of the ledger. */
  readonly previousDigest: string | null;
  readonly epoch: string;
  readonly timestampMs: string;
  readonly networkTotalTransactions: string;
  readonly transactions: readonly string[];
  /** True for the last checkpoint of an epoch, otherwise absent. */
  readonly endOfEpochData?: true;
}

/** A checkpoint with its transactions in the form of `iota_getTransactionBlock`. */
export interface FullCheckpoint {
  readonly checkpoint: ShownCheckpoint;
  readonly transactions: readonly object[];
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

const CHECKPOINT: StreamedPart<CheckpointData> = {
  mostBytes: MOST_CHECKPOINT_BYTES,
  isEnd: ({ payload }) => payload.case === 'endMarker',
};

/** One checkpoint, in the form of `iota_getCheckpoint`. */
export async function readCheckpoint(
  { channel, endsAt }: CalledNode,
  number: string,
): Promise<ShownCheckpoint> {
  const request = {
    checkpointId: { case: 'sequenceNumber', value: BigInt(number) },
    readMask: { paths: DIGESTS },
  } as const;
  const { getCheckpoint } = LedgerService.method;
  const stream = channel.stream(getCheckpoint, request, endsAt, undefined, CHECKPOINT);
  for await (const { checkpoint } of assemble(stream, showDigest)) return checkpoint;
  throw new Error('no checkpoint');
}

/**
 * A page of checkpoints that the node has, in the form of `iota_getCheckpoints`; the cursor is the last one
 * of the previous page.
 */
export async function readCheckpoints(
  { channel, endsAt }: CalledNode,
  cursor: string | null,
  limit: number,
  descending: boolean,
): Promise<{ readonly data: readonly ShownCheckpoint[] }> {
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
  if (first > last) return { data: [] };
  const request = {
    startSequenceNumber: first,
    endSequenceNumber: last,
    readMask: { paths: DIGESTS },
  };
  const stream = channel.stream(streamCheckpoints, request, endsAt, undefined, CHECKPOINT);
  const data: ShownCheckpoint[] = [];
  for await (const { checkpoint } of assemble(stream, showDigest)) data.push(checkpoint);
  return { data: descending ? data.reverse() : data };
}

/**
 * Every checkpoint from this number on, past and future, with these parts of its transactions, until the node
 * ends the stream. Rejects with `NodeRefusal` where the node does not have the first one or cannot send one
 * because of its size, and otherwise with `NodeFailure`.
 */
export async function* streamCheckpoints(
  node: CalledNode,
  first: number,
  options: ShowOptions,
  signal: AbortSignal,
): AsyncGenerator<FullCheckpoint> {
  const request = {
    startSequenceNumber: BigInt(first),
    readMask: {
      paths: [...SUMMARY, ...transactionFields(options).map((path) => `transactions.${path}`)],
    },
    maxMessageSizeBytes: MOST_STREAMED_BYTES,
  };
  const { streamCheckpoints: method } = LedgerService.method;
  const stream = node.channel.stream(method, request, node.endsAt, signal, CHECKPOINT);
  yield* assemble(stream, (one) => showWithEvents(one, options, node));
}

type Show = (transaction: ExecutedTransaction) => Promise<object>;

const showDigest: Show = (one) => Promise.resolve(showTransaction(one, {}));

/** A node sends a checkpoint in parts: its summary, batches of transactions, an end marker. */
async function* assemble(
  parts: AsyncIterable<CheckpointData>,
  show: Show,
): AsyncGenerator<FullCheckpoint> {
  let summary: CheckpointSummary | undefined;
  let transactions: object[] = [];
  for await (const { payload } of parts) {
    try {
      if (payload.case === 'checkpoint') {
        summary = payload.value.summary;
        transactions = [];
      }
      if (payload.case === 'executedTransactions') {
        transactions.push(...(await Promise.all(payload.value.executedTransactions.map(show))));
      }
      if (payload.case !== 'endMarker') continue;
      if (!summary?.bcs || !summary.digest) throw new Error('no summary');
    } catch (error) {
      if (error instanceof NodeFailure) throw error;
      const message = `malformed checkpoint: ${(error as Error).message}`;
      throw new NodeFailure(message, { mayBeProcessed: false, isInvalid: true, cause: error });
    }
    yield { checkpoint: showCheckpoint(summary, transactions), transactions };
  }
}

function showCheckpoint(
  { bcs: encoded, digest }: CheckpointSummary,
  transactions: readonly object[],
): ShownCheckpoint {
  const summary = VersionedSummary.parse(encoded!.data).V1;
  const { sequenceNumber, previousDigest, epoch, timestampMs } = summary;
  const { networkTotalTransactions, endsEpoch } = summary;
  return {
    sequenceNumber,
    digest: encodeBase58(digest!.digest),
    previousDigest,
    epoch,
    timestampMs,
    networkTotalTransactions,
    transactions: (transactions as { digest: string }[]).map(({ digest }) => digest),
    ...(endsEpoch && { endOfEpochData: true }),
  };
}

const least = (one: bigint, other: bigint) => (one < other ? one : other);
const greatest = (one: bigint, other: bigint) => (one > other ? one : other);
