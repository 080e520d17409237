import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { GrpcCode } from './grpc-codes.js';
import { failure, invalidField } from './grpc-status.js';

const MEBIBYTE = 2 ** 20;
const USUAL_BYTES = 4 * MEBIBYTE;
const MOST_BYTES = 128 * MEBIBYTE;
/** For the tag and the length of an item, and of the list around it. */
const ITEM_OVERHEAD = 16;

/**
 * The size of messages for a caller that asks for `asked`. Throws `GrpcFailure` outside of a node's limits.
 */
export function requireMessageSize(requestedBytes: number | undefined): number {
  const size = requestedBytes ?? USUAL_BYTES;
  const limit =
    size < MEBIBYTE ? `least ${MEBIBYTE}` : size > MOST_BYTES ? `most ${MOST_BYTES}` : null;
  if (limit === null) return size;
  throw invalidField('max_message_size_bytes', `must be at ${limit} bytes`);
}

/** The same for checkpoints, where nodes take the nearest size that they allow. */
export function nearestMessageSize(requestedBytes: number | undefined): number {
  return Math.min(Math.max(requestedBytes ?? USUAL_BYTES, MEBIBYTE), MOST_BYTES);
}

/** Items in groups that fit into messages of `limit` bytes, each with whether another group follows. */
export function* inMessages<S extends DescMessage>(
  schema: S,
  items: readonly MessageInitShape<S>[],
  limit: number,
): Generator<[items: MessageInitShape<S>[], hasNext: boolean]> {
  let group: MessageInitShape<S>[] = [];
  let size = 0;
  for (const item of items) {
    const bytes = sizeOf(schema, item);
    if (group.length > 0 && size + bytes > limit) {
      yield [group, true];
      group = [];
      size = 0;
    }
    group.push(item);
    size += bytes;
  }
  yield [group, false];
}

/** The same for parts of a checkpoint, `what`: throws `GrpcFailure` for one that fits into no message. */
export function* inFittingMessages<S extends DescMessage>(
  what: 'event' | 'transaction',
  schema: S,
  items: readonly MessageInitShape<S>[],
  limit: number,
): Generator<MessageInitShape<S>[]> {
  for (const [group] of inMessages(schema, items, limit)) {
    const [first] = group;
    const bytes = first === undefined ? 0 : sizeOf(schema, first);
    if (bytes > limit) {
      const text = `Single ${what} size (${bytes} bytes) exceeds max message size (${limit} bytes)`;
      throw failure(GrpcCode.invalidArgument, text);
    }
    yield group;
  }
}

function sizeOf<S extends DescMessage>(schema: S, item: MessageInitShape<S>): number {
  return toBinary(schema, create(schema, item)).length + ITEM_OVERHEAD;
}
