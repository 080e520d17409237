import { once } from 'node:events';
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, expect } from '@jest/globals';
import { create, toBinary } from '@bufbuild/protobuf';
import { GetServiceInfoResponseSchema, LedgerService } from '../../node-messages/index.js';
import { NodeFailure } from '../transport/node-failure.js';
import { GrpcChannel } from './grpc-channel.js';
import { frameOf } from './grpc-call.js';

export const ANSWER_HEADERS = { ':status': 200, 'content-type': 'application/grpc' };

/** An encoded answer of `GetServiceInfo`. */
export function infoOf(server: string): Uint8Array {
  return toBinary(GetServiceInfoResponseSchema, create(GetServiceInfoResponseSchema, { server }));
}

/** Answers with these bytes and, after them, these trailers. */
export function answer(
  stream: ServerHttp2Stream,
  chunks: readonly Uint8Array[],
  trailers: Record<string, string> = { 'grpc-status': '0' },
  headers: Record<string, string> = {},
): void {
  stream.respond({ ...ANSWER_HEADERS, ...headers }, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers(trailers));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
}

/** A usual answer. */
export function answerInfo(stream: ServerHttp2Stream, server = 'raw'): void {
  answer(stream, [frameOf(infoOf(server))]);
}

/** Serves HTTP/2 as the test says, which servers of gRPC do not let it do. */
export class RawNode {
  readonly sessions: ServerHttp2Session[] = [];

  private constructor(
    readonly url: string,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  static async start(
    serve: (stream: ServerHttp2Stream, headers: Record<string, unknown>) => void,
  ): Promise<RawNode> {
    const server = createServer();
    server.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      serve(stream, headers);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const node = new RawNode(`grpc://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
    server.on('session', (session) => node.sessions.push(session));
    return node;
  }

  stop(): void {
    for (const session of this.sessions) session.destroy();
    this.server.close();
  }
}

type Serve = Parameters<typeof RawNode.start>[0];

/** Ended by `endAfterEachTest`. */
export const ends: (() => void)[] = [];

/** A channel to a node that serves every call like this, until the end of the test. */
export async function channelTo(
  serve: Serve,
  headers: Record<string, string> = {},
): Promise<{ channel: GrpcChannel; node: RawNode }> {
  const node = await RawNode.start(serve);
  const channel = new GrpcChannel({ url: node.url, headers });
  ends.push(
    () => node.stop(),
    () => channel.close(),
  );
  return { channel, node };
}

/** Ends the nodes and channels of each test, the last one first. */
export function endAfterEachTest(): void {
  afterEach(() =>
    ends
      .splice(0)
      .toReversed()
      .forEach((end) => end()),
  );
}

export const ask = (channel: GrpcChannel, withinMs = 5_000) =>
  channel.unary(LedgerService.method.getServiceInfo, {}, performance.now() + withinMs);

export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: unknown) => error,
  );
}

/** The failure of a call that the node serves like this. */
export async function failureAfter(serve: Serve): Promise<NodeFailure> {
  const { channel } = await channelTo(serve);
  const error = await errorOf(ask(channel));
  expect(error).toBeInstanceOf(NodeFailure);
  return error as NodeFailure;
}
