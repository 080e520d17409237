import type { ServerHttp2Stream } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { create, toBinary } from '@bufbuild/protobuf';
import { StatusSchema } from '../../node-messages/index.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { frameOf } from './grpc-call.js';
import {
  answer,
  ANSWER_HEADERS,
  ask,
  channelTo,
  endAfterEachTest,
  errorOf,
  failureAfter,
  infoOf,
} from './raw-node.test-support.js';
import { status } from './grpc-errors.js';

endAfterEachTest();

/** A prefix and content that differ from it. */
function forged(flag: number, length: number, content: Uint8Array = new Uint8Array(0)): Buffer {
  const frame = frameOf(content);
  frame[0] = flag;
  frame.writeUInt32BE(length, 1);
  return frame;
}

describe('an answer', () => {
  it('is read from chunks of any size', async () => {
    const frame = frameOf(infoOf('in pieces'));
    const { channel } = await channelTo((stream) => {
      answer(
        stream,
        Array.from(frame, (byte) => Uint8Array.of(byte)),
      );
    });
    expect((await ask(channel)).server).toBe('in pieces');
  });

  it('is decompressed if the node compresses it', async () => {
    const content = gzipSync(infoOf('compressed'));
    const offered: unknown[] = [];
    const { channel } = await channelTo((stream, headers) => {
      offered.push(headers['grpc-accept-encoding']);
      const chunks = [forged(1, content.length, content)];
      answer(stream, chunks, { 'grpc-status': '0' }, { 'grpc-encoding': 'gzip' });
    });
    expect((await ask(channel)).server).toBe('compressed');
    expect(offered).toEqual(['identity,gzip,deflate']);
  });

  it.each<[string, (stream: ServerHttp2Stream) => void, RegExp]>([
    [
      'is compressed in an unknown way',
      (stream) => answer(stream, [forged(1, 0)], {}, { 'grpc-encoding': 'br' }),
      /INTERNAL.*br/,
    ],
    [
      'cannot be decompressed',
      (stream) =>
        answer(stream, [forged(1, 3, Buffer.from('abc'))], {}, { 'grpc-encoding': 'gzip' }),
      /INTERNAL.*decompressed/,
    ],
    [
      'exceeds 128 MiB',
      (stream) => answer(stream, [forged(0, 2 ** 27 + 1)]),
      /RESOURCE_EXHAUSTED: GetServiceInfo: .* exceeds/,
    ],
    [
      'is cut off',
      (stream) => answer(stream, [forged(0, 9, Buffer.from('abc'))]),
      /INTERNAL.*cut off/,
    ],
    ['has no message', (stream) => answer(stream, []), /INTERNAL.*no message/],
    ['has no status', (stream) => answer(stream, [frameOf(infoOf('x'))], {}), /without a status/],
  ])('fails with an unknown outcome if it %s', async (_name, serve, expected) => {
    const { message, mayBeProcessed, isInvalid } = await failureAfter(serve);
    expect([message, mayBeProcessed]).toEqual([expect.stringMatching(expected), true]);
    // A call without a status may be one that a proxy has cut off.
    expect(isInvalid).toBe(!message.includes('without a status'));
  });

  it('is not a message but a failure where a proxy answers', async () => {
    const page = (httpStatus: number) => (stream: ServerHttp2Stream) => {
      stream.respond({ ':status': httpStatus, 'content-type': 'text/html' });
      stream.end('<html>'.repeat(20));
    };
    const [ended, ok] = [await failureAfter(page(503)), await failureAfter(page(200))];
    expect(ended.message).toMatch(/^UNAVAILABLE: HTTP status 503/);
    expect(ok.message).toMatch(/^UNKNOWN: HTTP status 200, text\/html/);
    expect([ended.isInvalid, ok.isInvalid]).toEqual([false, true]);
    expect((await failureAfter(page(401))).message).toMatch(/LEDGER_HEADERS/);
  });

  it('is an error with its details, in trailers or in headers alone', async () => {
    const details = toBinary(
      StatusSchema,
      create(StatusSchema, { code: status.INVALID_ARGUMENT, message: 'no' }),
    );
    const trailers = {
      'grpc-status': String(status.INVALID_ARGUMENT),
      'grpc-message': 'Gr%C3%B6%C3%9Fe: 100 %',
      'grpc-status-details-bin': Buffer.from(details).toString('base64').replace(/=+$/, ''),
    };
    const inTrailers = await channelTo((stream) => answer(stream, [], trailers));
    const inHeaders = await channelTo((stream) => {
      stream.respond({ ...ANSWER_HEADERS, ...trailers }, { endStream: true });
    });
    for (const { channel } of [inTrailers, inHeaders]) {
      const error = await errorOf(ask(channel));
      expect(error).toBeInstanceOf(NodeRefusal);
      expect((error as Error).message).toContain('Größe: 100 %');
    }
  });
});
