import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';

const MEBIBYTE = 2 ** 20;
const USUAL_BYTES = 4 * MEBIBYTE;
const MOST_BYTES = 128 * MEBIBYTE;
/** For the tag and the length of an item, and of the list around it. */
const ITEM_OVERHEAD = 16;

/** The size of messages for a caller that asks for `asked`. */
export function messageLimit(asked: number | undefined): number {
  return Math.min(Math.max(asked ?? USUAL_BYTES, MEBIBYTE), MOST_BYTES);
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
    const bytes = toBinary(schema, create(schema, item)).length + ITEM_OVERHEAD;
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
