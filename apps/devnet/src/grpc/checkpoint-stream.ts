import { once } from 'node:events';
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CheckpointDataSchema,
  EventSchema,
  ExecutedTransactionSchema,
  type GetCheckpointRequest,
  type StreamCheckpointsRequest,
} from '@forecourt/ledger/node-messages';
import { toBase58 } from '@iota/iota-sdk/utils';
import type {
  CheckpointRecord,
  EventRecord,
  ExecutedTransaction,
} from '../engine/engine-interface.js';
import { protocolVersionOf } from '../node/node-profile.js';
import type { LedgerView } from '../views/lagging-view.js';
import { readSelection, refused, type Selection } from './checkpoint-selection.js';
import { encodeCheckpoint } from './encode-checkpoint.js';
import { encodeEvent, encodeTransaction, withoutJson } from './encode-transaction.js';
import { GrpcCode } from './grpc-codes.js';
import { failure } from './grpc-status.js';
import { matchesEvent, matchesTransaction } from './matches-filter.js';
import { inFittingMessages } from './message-size.js';
import { ReadMask } from './read-mask.js';
import type { ServedNode } from './served-node.js';

type CheckpointData = MessageInitShape<typeof CheckpointDataSchema>;

const PROGRESS_MS = 2_000;
const LEAST_PROGRESS_MS = 500;

/** One checkpoint, in messages. Throws `GrpcFailure` for one that reads do not show. */
export function readCheckpoint(
  node: ServedNode,
  view: LedgerView,
  request: GetCheckpointRequest,
): Generator<CheckpointData> {
  const number = numberOf(view, request);
  refusePruned(node, number);
  const selection = readSelection(node, request);
  const checkpoint = view.getCheckpoint(number);
  if (!checkpoint) throw failure(GrpcCode.notFound, `Checkpoint ${number} not found`);
  return inParts(node, new Content(node, checkpoint, selection));
}

function numberOf(view: LedgerView, { checkpointId }: GetCheckpointRequest): number {
  switch (checkpointId.case) {
    case undefined:
      throw refused('checkpoint_id must be provided');
    case 'latest':
      return view.latestCheckpoint.sequenceNumber;
    case 'sequenceNumber':
      return Number(checkpointId.value);
    case 'digest': {
      const checkpoint = view.getCheckpoint(toBase58(checkpointId.value.digest));
      if (!checkpoint) throw failure(GrpcCode.notFound, 'checkpoint not found');
      return checkpoint.sequenceNumber;
    }
  }
}

function refusePruned({ engine }: ServedNode, number: number): void {
  const lowest = engine.oldestCheckpoint;
  if (number >= lowest) return;
  const text = `Requested checkpoint ${number} is below the lowest available checkpoint ${lowest}`;
  throw failure(GrpcCode.notFound, text);
}

/**
 * Checkpoints by number as the node shows them, until `cancelled` or the last one that was asked for. Throws
 * `GrpcFailure` at once for a request that nodes do not take.
 */
export function streamCheckpoints(
  node: ServedNode,
  request: StreamCheckpointsRequest,
  cancelled: AbortSignal,
): AsyncIterable<CheckpointData> {
  const { startSequenceNumber: start } = request;
  if (start !== undefined) refusePruned(node, Number(start));
  return followCheckpoints(node, request, readSelection(node, request), cancelled);
}

async function* followCheckpoints(
  node: ServedNode,
  request: StreamCheckpointsRequest,
  selection: Selection,
  cancelled: AbortSignal,
): AsyncGenerator<CheckpointData> {
  const progressMs = Math.max(request.progressIntervalMs ?? PROGRESS_MS, LEAST_PROGRESS_MS);
  let lastMessage = performance.now();
  const { start, end } = rangeOf(node, request);
  for (let next = start; next <= end; next += 1) {
    if (!(await isShown(node, next, cancelled))) return;
    const content = new Content(node, findCheckpoint(node, next), selection);
    if (!selection.skips || content.matches) {
      yield* inParts(node, content);
    } else if (performance.now() - lastMessage >= progressMs) {
      const value = { latestScannedSequenceNumber: BigInt(next) };
      yield { payload: { case: 'progress', value } };
    } else {
      continue;
    }
    lastMessage = performance.now();
  }
}

/** Without a start, the newest checkpoint or, where there is an end, that one alone. */
function rangeOf(
  { fullNode }: ServedNode,
  { startSequenceNumber, endSequenceNumber }: StreamCheckpointsRequest,
) {
  const end = endSequenceNumber === undefined ? Infinity : Number(endSequenceNumber);
  const usual = end === Infinity ? fullNode.latestCheckpoint.sequenceNumber : end;
  return { start: Number(startSequenceNumber ?? usual), end };
}

async function isShown(
  { fullNode }: ServedNode,
  sequenceNumber: number,
  cancelled: AbortSignal,
): Promise<boolean> {
  while (fullNode.latestCheckpoint.sequenceNumber < sequenceNumber) {
    if (cancelled.aborted) return false;
    try {
      await once(fullNode.changes, 'checkpoint', { signal: cancelled });
    } catch {
      return false;
    }
  }
  return !cancelled.aborted;
}

function findCheckpoint({ engine, fullNode }: ServedNode, next: number): CheckpointRecord {
  const checkpoint = fullNode.getCheckpoint(next);
  if (checkpoint) return checkpoint;
  const lowest = engine.oldestCheckpoint;
  throw failure(
    GrpcCode.notFound,
    `Checkpoint data ${next} is below the lowest available checkpoint ${lowest}`,
  );
}

/** A checkpoint with the transactions and the events that the filters let through. */
class Content {
  readonly all: readonly ExecutedTransaction[];
  readonly transactions: readonly ExecutedTransaction[];
  readonly events: readonly EventRecord[];

  constructor(
    { fullNode }: ServedNode,
    readonly checkpoint: CheckpointRecord,
    readonly selection: Selection,
  ) {
    this.all = checkpoint.transactions.map((digest) => {
      const transaction = fullNode.getTransaction(digest);
      if (!transaction) throw failure(GrpcCode.notFound, `Transaction ${digest} has been pruned`);
      return transaction;
    });
    const { transactions, events } = selection;
    this.transactions = this.all.filter(
      (one) => !transactions || matchesTransaction(transactions, one),
    );
    this.events = this.all
      .flatMap((one) => one.events)
      .filter((one) => !events || matchesEvent(events, one));
  }

  /** Whether one of the given filters matches anything. */
  get matches(): boolean {
    const { transactions, events } = this.selection;
    return (
      (transactions !== undefined && this.transactions.length > 0) ||
      (events !== undefined && this.events.length > 0)
    );
  }
}

/** Header, transactions, events, end: the transactions and events in batches that fit into messages. */
function* inParts(
  node: ServedNode,
  { checkpoint, all, transactions, events, selection }: Content,
): Generator<CheckpointData> {
  const { mask, limit } = selection;
  const version = protocolVersionOf(node.profiles.current);
  const headerMask = mask.asks('checkpoint') ? mask.under('checkpoint') : ReadMask.nothing;
  const header = encodeCheckpoint(checkpoint, all, version, headerMask);
  yield { payload: { case: 'checkpoint', value: header } };
  if (mask.asks('transactions') && transactions.length > 0) {
    const encoded = transactions.map((one) =>
      encodeTransaction(node, one, mask.under('transactions')),
    );
    for (const one of encoded) one.events?.events?.events.forEach(withoutJson);
    const schema = ExecutedTransactionSchema;
    for (const batch of inFittingMessages('transaction', schema, encoded, limit)) {
      const value = { executedTransactions: batch };
      yield { payload: { case: 'executedTransactions', value } };
    }
  }
  if (mask.asks('events') && events.length > 0) {
    const encoded = events.map((one) =>
      mask.under('events').applyTo(EventSchema, withoutJson(encodeEvent(one))),
    );
    for (const batch of inFittingMessages('event', EventSchema, encoded, limit)) {
      yield { payload: { case: 'events', value: { events: batch } } };
    }
  }
  const sequenceNumber = BigInt(checkpoint.sequenceNumber);
  yield { payload: { case: 'endMarker', value: { sequenceNumber } } };
}
