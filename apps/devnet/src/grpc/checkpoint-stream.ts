import { once } from 'node:events';
import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import {
  CheckpointSchema,
  type CheckpointDataSchema,
  type EventFilter,
  EventSchema,
  ExecutedTransactionSchema,
  type GetCheckpointRequest,
  type StreamCheckpointsRequest,
  type TransactionFilter,
} from '@forecourt/node-messages';
import { status } from '@grpc/grpc-js';
import { toBase58 } from '@iota/iota-sdk/utils';
import type {
  CheckpointRecord,
  EventRecord,
  ExecutedTransaction,
} from '../engine/engine-interface.js';
import { protocolVersionOf } from '../node/node-profile.js';
import type { LedgerView } from '../views/lagging-view.js';
import { encodeCheckpoint } from './encode-checkpoint.js';
import { encodeEvent, encodeTransaction, withoutJson } from './encode-transaction.js';
import type { ServedNode } from './served-node.js';
import { failure, invalidField } from './grpc-status.js';
import { matchesEvent, matchesTransaction } from './matches-filter.js';
import { inMessages, messageLimit } from './message-size.js';
import { ReadMask } from './read-mask.js';

type CheckpointData = MessageInitShape<typeof CheckpointDataSchema>;

const USUAL_MASK = ['checkpoint.summary'];
const ROOT: Readonly<Record<string, DescMessage>> = {
  checkpoint: CheckpointSchema,
  transactions: ExecutedTransactionSchema,
  events: EventSchema,
};
const PROGRESS_MS = 2_000;
const LEAST_PROGRESS_MS = 500;

/** The parts of checkpoints that a call asks for. */
interface Selection {
  readonly mask: ReadMask;
  readonly transactions: TransactionFilter | undefined;
  readonly events: EventFilter | undefined;
  readonly limit: number;
}

function readSelection(request: GetCheckpointRequest | StreamCheckpointsRequest): Selection {
  return {
    mask: ReadMask.read(request.readMask, USUAL_MASK, ROOT),
    transactions: request.transactionsFilter,
    events: request.eventsFilter,
    limit: messageLimit(request.maxMessageSizeBytes),
  };
}

/** One checkpoint, in messages. Throws `GrpcFailure` for one that reads do not show. */
export function readCheckpoint(
  node: ServedNode,
  view: LedgerView,
  request: GetCheckpointRequest,
): CheckpointData[] {
  const selection = readSelection(request);
  const { checkpointId } = request;
  if (checkpointId.case === undefined) throw invalidField('checkpoint_id');
  const name =
    checkpointId.case === 'latest'
      ? view.latestCheckpoint.sequenceNumber
      : checkpointId.case === 'digest'
        ? toBase58(checkpointId.value.digest)
        : Number(checkpointId.value);
  const found = view.getCheckpoint(name);
  if (!found) throw failure(status.NOT_FOUND, `Checkpoint ${name} not found`);
  return [...inParts(node, new Content(node, found, selection))];
}

/** Checkpoints by number as the node shows them, until `cancelled` or the last one that was asked for. */
export async function* streamCheckpoints(
  node: ServedNode,
  request: StreamCheckpointsRequest,
  cancelled: AbortSignal,
): AsyncGenerator<CheckpointData> {
  const selection = readSelection(request);
  const skips = request.filterCheckpoints === true;
  if (skips && !selection.transactions && !selection.events) {
    throw invalidField('filter_checkpoints', 'filter_checkpoints requires a filter');
  }
  const progressMs = Math.max(request.progressIntervalMs ?? PROGRESS_MS, LEAST_PROGRESS_MS);
  let lastMessage = performance.now();
  const { start, end } = rangeOf(node, request);
  for (let next = start; next <= end; next += 1) {
    if (!(await isShown(node, next, cancelled))) return;
    const content = new Content(node, findCheckpoint(node, next), selection);
    if (!skips || content.matches) {
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
  const found = fullNode.getCheckpoint(next);
  if (found) return found;
  const lowest = engine.oldestCheckpoint;
  throw failure(
    status.NOT_FOUND,
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
      const found = fullNode.getTransaction(digest);
      if (!found) throw failure(status.NOT_FOUND, `Transaction ${digest} has been pruned`);
      return found;
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
  { engine, profiles }: ServedNode,
  { checkpoint, all, transactions, events, selection }: Content,
): Generator<CheckpointData> {
  const { mask, limit } = selection;
  const version = protocolVersionOf(profiles.current);
  const headerMask = mask.asks('checkpoint') ? mask.under('checkpoint') : ReadMask.nothing;
  const header = encodeCheckpoint(checkpoint, all, version, headerMask);
  yield { payload: { case: 'checkpoint', value: header } };
  if (mask.asks('transactions') && transactions.length > 0) {
    const shown = transactions.map((one) =>
      encodeTransaction(engine, one, mask.under('transactions')),
    );
    for (const one of shown) one.events?.events?.events.forEach(withoutJson);
    for (const [executedTransactions] of inMessages(ExecutedTransactionSchema, shown, limit)) {
      yield { payload: { case: 'executedTransactions', value: { executedTransactions } } };
    }
  }
  if (mask.asks('events') && events.length > 0) {
    const shown = events.map((one) =>
      mask.under('events').applyTo(EventSchema, withoutJson(encodeEvent(one))),
    );
    for (const [batch] of inMessages(EventSchema, shown, limit)) {
      yield { payload: { case: 'events', value: { events: batch } } };
    }
  }
  const sequenceNumber = BigInt(checkpoint.sequenceNumber);
  yield { payload: { case: 'endMarker', value: { sequenceNumber } } };
}
