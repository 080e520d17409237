import { constants } from 'node:http2';
import { describe, expect, it } from '@jest/globals';
import { create, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { LedgerService } from '../../node-messages/index.js';
import { frameOf } from './grpc-call.js';
import {
  answer,
  ANSWER_HEADERS,
  channelTo,
  endAfterEachTest,
  errorOf,
} from './raw-node.test-support.js';

endAfterEachTest();

const { getObjects } = LedgerService.method;
const PART = frameOf(toBinary(getObjects.output, create(getObjects.output, { hasNext: true })));

describe('a stream', () => {
  it('keeps every message for a slow reader, also those that came before the status', async () => {
    const { channel } = await channelTo((stream) => {
      answer(
        stream,
        Array.from({ length: 50 }, () => PART),
      );
    });
    let count = 0;
    for await (const { hasNext } of channel.stream(getObjects, {}, performance.now() + 5_000)) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(hasNext).toBe(true);
      count += 1;
    }
    expect(count).toBe(50);
  });

  it('ends at the node when its reader stops', async () => {
    const closed = new Promise<number>((resolve) => {
      void channelTo((stream) => {
        stream.respond(ANSWER_HEADERS);
        stream.write(PART);
        stream.once('close', () => resolve(stream.rstCode));
      }).then(async ({ channel }) => {
        const stream = channel.stream(getObjects, {});
        await stream.next();
        await stream.return(undefined);
      });
    });
    expect(await closed).toBe(constants.NGHTTP2_CANCEL);
  });

  it('ends without an error when it is aborted', async () => {
    const { channel } = await channelTo((stream) => {
      stream.respond(ANSWER_HEADERS);
      stream.write(PART);
    });
    const abort = new AbortController();
    const stream = channel.stream(getObjects, {}, Infinity, abort.signal);
    expect((await stream.next()).done).toBe(false);
    abort.abort();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it('is refused beyond a bound on all its messages that are kept', async () => {
    const large = toBinary(getObjects.output, create(getObjects.output, { hasNext: true }));
    const padded = frameOf(Buffer.concat([large, unknownField(2 ** 24)]));
    let written = 0;
    const { channel } = await channelTo((stream) => {
      stream.respond(ANSWER_HEADERS);
      const more = () => {
        if (stream.destroyed) return;
        written += 1;
        stream.write(padded, more);
      };
      more();
    });
    const error = await errorOf(channel.all(getObjects, {}, performance.now() + 30_000));
    expect(error).toMatchObject({
      message: 'GetObjects: the answer exceeds 134217728 bytes',
      mayBeProcessed: true,
    });
    expect(written).toBeLessThan(17);
  });

  it('may last as long as each of its parts is within the bound', async () => {
    const { channel } = await channelTo((stream) => {
      answer(
        stream,
        Array.from({ length: 9 }, () => PART),
      );
    });
    const bound = PART.length * 2;
    const read = async (isEnd: () => boolean) => {
      const part = { mostBytes: bound, isEnd };
      let count = 0;
      const stream = channel.stream(getObjects, {}, Infinity, undefined, part);
      for await (const { hasNext } of stream) count += Number(hasNext);
      return count;
    };
    expect(await read(() => true)).toBe(9);
    await expect(read(() => false)).rejects.toThrow(
      `GetObjects: the answer exceeds ${bound} bytes`,
    );
  });
});

/** A field that readers of the message skip, of this many bytes. */
function unknownField(bytes: number): Buffer {
  const content = Buffer.alloc(bytes);
  const writer = new BinaryWriter().tag(99, WireType.LengthDelimited).bytes(content);
  return Buffer.from(writer.finish());
}
