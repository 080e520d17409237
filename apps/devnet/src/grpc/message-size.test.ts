import { describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { EventSchema } from '@forecourt/ledger/node-messages';
import {
  inFittingMessages,
  inMessages,
  nearestMessageSize,
  requireMessageSize,
} from './message-size.js';

const MEBIBYTE = 2 ** 20;
const event = (bytes: number) =>
  create(EventSchema, { bcsContents: { data: new Uint8Array(bytes) } });

describe('the size of messages', () => {
  it('is 4 MiB unless the caller asks for another', () => {
    expect(requireMessageSize(undefined)).toBe(4 * MEBIBYTE);
    expect(nearestMessageSize(undefined)).toBe(4 * MEBIBYTE);
    expect(requireMessageSize(MEBIBYTE)).toBe(MEBIBYTE);
    expect(requireMessageSize(128 * MEBIBYTE)).toBe(128 * MEBIBYTE);
  });

  it('is refused outside of the limits, or brought within them for checkpoints', () => {
    expect(() => requireMessageSize(MEBIBYTE - 1)).toThrow('must be at least 1048576 bytes');
    expect(() => requireMessageSize(128 * MEBIBYTE + 1)).toThrow('must be at most 134217728 bytes');
    expect(nearestMessageSize(1_000)).toBe(MEBIBYTE);
    expect(nearestMessageSize(2 ** 31)).toBe(128 * MEBIBYTE);
  });

  it('divides a list into messages, each with whether another follows', () => {
    const items = [event(400), event(400), event(400)];
    const groups = [...inMessages(EventSchema, items, 1_000)];
    expect(groups.map(([group, hasNext]) => [group.length, hasNext])).toEqual([
      [2, true],
      [1, false],
    ]);
    expect([...inMessages(EventSchema, [], 1_000)]).toEqual([[[], false]]);
  });

  it('ends a checkpoint with a part that fits into no message', () => {
    const parts = inFittingMessages('event', EventSchema, [event(10), event(2_000)], 1_000);
    expect(parts.next().value).toHaveLength(1);
    expect(() => parts.next()).toThrow(
      /^Single event size \(\d+ bytes\) exceeds max message size \(1000 bytes\)$/,
    );
  });
});
