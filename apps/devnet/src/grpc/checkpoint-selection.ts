import type { DescMessage } from '@bufbuild/protobuf';
import {
  CheckpointSchema,
  type EventFilter,
  EventSchema,
  ExecutedTransactionSchema,
  type GetCheckpointRequest,
  type StreamCheckpointsRequest,
  type TransactionFilter,
} from '@forecourt/ledger/node-messages';
import { checkEventFilter, checkTransactionFilter } from './check-filter.js';
import { GrpcCode } from './grpc-codes.js';
import { failure } from './grpc-status.js';
import type { GrpcFailure } from './grpc-failure.js';
import { nearestMessageSize } from './message-size.js';
import { ReadMask } from './read-mask.js';
import type { ServedNode } from './served-node.js';

const USUAL_MASK = ['checkpoint.summary'];
const ROOT: Readonly<Record<string, DescMessage>> = {
  checkpoint: CheckpointSchema,
  transactions: ExecutedTransactionSchema,
  events: EventSchema,
};

/** The parts of checkpoints that a call asks for. */
export interface Selection {
  readonly mask: ReadMask;
  readonly transactions: TransactionFilter | undefined;
  readonly events: EventFilter | undefined;
  /** Whether checkpoints in which nothing matches are left out. */
  readonly skips: boolean;
  readonly limit: number;
}

/** Throws `GrpcFailure` for a request that nodes do not take. */
export function readSelection(
  { profiles }: ServedNode,
  request: GetCheckpointRequest | StreamCheckpointsRequest,
): Selection {
  const { transactionsFilter: transactions, eventsFilter: events } = request;
  const mask = ReadMask.read(request.readMask, USUAL_MASK, ROOT, profiles.current);
  if (transactions) checkTransactionFilter(transactions);
  if (events) checkEventFilter(events);
  const skips = 'filterCheckpoints' in request && request.filterCheckpoints === true;
  if (skips && !transactions && !events) {
    throw refused(
      'filter_checkpoints requires at least one of transactions_filter or events_filter',
    );
  }
  if (transactions && !mask.asks('transactions')) {
    throw refused('transactions_filter requires transactions in read_mask');
  }
  if (events && !mask.asks('events')) throw refused('events_filter requires events in read_mask');
  const limit = nearestMessageSize(request.maxMessageSizeBytes);
  return { mask, transactions, events, skips, limit };
}

/** A request that nodes do not take. */
export function refused(text: string): GrpcFailure {
  return failure(GrpcCode.invalidArgument, text);
}
