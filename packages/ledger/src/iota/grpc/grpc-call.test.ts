import { constants, type ServerHttp2Stream } from 'node:http2';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { GrpcChannel } from './grpc-channel.js';
import {
  answerInfo,
  ask,
  channelTo,
  endAfterEachTest,
  ends,
  errorOf,
  failureAfter,
} from './raw-node.test-support.js';

endAfterEachTest();

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM, NGHTTP2_INTERNAL_ERROR } = constants;

describe('a call that the node resets', () => {
  const resetWith = (code: number) => (stream: ServerHttp2Stream) => stream.close(code);

  it('was not processed if it was refused', async () => {
    const { message, mayBeProcessed } = await failureAfter(resetWith(NGHTTP2_REFUSED_STREAM));
    expect([message, mayBeProcessed]).toEqual([expect.stringMatching(/^UNAVAILABLE/), false]);
  });

  it.each([
    [NGHTTP2_CANCEL, /^CANCELLED/],
    [NGHTTP2_INTERNAL_ERROR, /^INTERNAL/],
  ])('may have been processed after the code %d', async (code, expected) => {
    const { message, mayBeProcessed } = await failureAfter(resetWith(code));
    expect([message, mayBeProcessed]).toEqual([expect.stringMatching(expected), true]);
  });

  it('may have been processed if the connection is lost', async () => {
    const { message, mayBeProcessed } = await failureAfter((stream) => {
      stream.session!.socket.destroy();
    });
    expect([message, mayBeProcessed]).toEqual([expect.stringMatching(/^UNAVAILABLE/), true]);
  });
});

describe('a node that announces its end', () => {
  it('still answers open calls, and later ones use another connection', async () => {
    let release: (() => void) | undefined;
    const { channel, node } = await channelTo((stream) => {
      if (release) return answerInfo(stream, 'second');
      release = () => answerInfo(stream, 'first');
    });
    const first = ask(channel);
    while (!release) await new Promise((resolve) => setImmediate(resolve));
    node.sessions[0]!.goaway(constants.NGHTTP2_NO_ERROR);
    // Answers arrive in order, so the announcement has been read before this one.
    await new Promise((resolve) => node.sessions[0]!.ping(resolve));
    expect((await ask(channel)).server).toBe('second');
    expect(node.sessions).toHaveLength(2);
    release();
    expect((await first).server).toBe('first');
  });
});

describe('a call', () => {
  it('tells the node its deadline, and resets the stream when it has passed', async () => {
    const timeouts: string[] = [];
    const { promise: reset, resolve } = Promise.withResolvers<number>();
    const { channel } = await channelTo((stream, headers) => {
      timeouts.push(headers['grpc-timeout'] as string);
      if (timeouts.length === 1) answerInfo(stream);
      else stream.once('close', () => resolve(stream.rstCode));
    });
    // The deadline of a call includes the connection.
    await ask(channel, 30_000);
    const error = errorOf(ask(channel, 100));
    expect(await reset).toBe(NGHTTP2_CANCEL);
    expect(await error).toMatchObject({
      message: expect.stringMatching(/^DEADLINE_EXCEEDED/),
      mayBeProcessed: true,
    });
    expect(timeouts[1]).toMatch(/^\d+m$/);
    expect(parseInt(timeouts[1]!)).toBeLessThanOrEqual(100);
  });

  it('is not sent with headers that HTTP/2 does not allow', async () => {
    const { channel } = await channelTo((stream) => answerInfo(stream), { connection: 'close' });
    expect(await errorOf(ask(channel))).toMatchObject({ mayBeProcessed: false });
  });

  it('cannot replace the headers of gRPC', async () => {
    const seen: unknown[] = [];
    const { channel } = await channelTo(
      (stream, headers) => {
        seen.push(headers['content-type'], headers['te'], headers['x-key']);
        answerInfo(stream);
      },
      { 'Content-Type': 'text/plain', TE: 'gzip', 'X-Key': 'k' },
    );
    await ask(channel);
    expect(seen).toEqual(['application/grpc', 'trailers', 'k']);
  });

  it('reports no connection as such, in time, if the server never speaks HTTP/2', async () => {
    const silent = createServer((socket) => {
      socket.resume();
      ends.push(() => socket.destroy());
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    ends.push(() => silent.close());
    const { port } = silent.address() as { port: number };
    const channel = new GrpcChannel({ url: `grpc://127.0.0.1:${port}`, headers: {} });
    const error = await errorOf(ask(channel, 100));
    expect(error).toMatchObject({ message: 'no connection in time', mayBeProcessed: false });
  });
});
