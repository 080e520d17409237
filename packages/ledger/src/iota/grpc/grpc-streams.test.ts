import { constants } from 'node:http2';
import { describe, expect, it } from '@jest/globals';
import { create, toBinary } from '@bufbuild/protobuf';
import { LedgerService } from '@forecourt/node-messages';
import { frameOf } from './grpc-frames.js';
import { answer, ANSWER_HEADERS, channelTo } from './raw-node.test-support.js';

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
});
