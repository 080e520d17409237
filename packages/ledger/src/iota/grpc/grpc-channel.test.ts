import { connect, createServer, type Server as TcpServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import {
  GetServiceInfoResponseSchema,
  LedgerService,
  serviceDefinition,
  type StreamCheckpointsRequest,
} from '../../node-messages/index.js';
import { type Metadata, Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import { NodeFailure } from '../transport/node-failure.js';
import { GrpcChannel } from './grpc-channel.js';

const { getServiceInfo, streamCheckpoints } = LedgerService.method;
const MANY_BYTES = 20 * 2 ** 20;

type Reply = (error: null, info: unknown) => void;
type Call = { readonly metadata: Metadata };

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

/** A node whose `GetServiceInfo` is answered by `answer`; its streams stay silent. */
async function aNode(
  answer: (call: Call, reply: Reply) => void,
  address = '127.0.0.1:0',
): Promise<{ url: string; port: number; stop: () => void }> {
  const server = new Server({ 'grpc.max_send_message_length': -1 });
  server.addService(serviceDefinition(LedgerService), {
    GetServiceInfo: answer,
    StreamCheckpoints: (call: ServerWritableStream<StreamCheckpointsRequest, unknown>) =>
      void call.on('cancelled', () => call.end()),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const stop = () => server.forceShutdown();
  ends.push(stop);
  return { url: `grpc://127.0.0.1:${port}`, port, stop };
}

const named = (server: string) => (_call: Call, reply: Reply) =>
  reply(null, create(GetServiceInfoResponseSchema, { server }));

function aChannel(
  url: string,
  options: Partial<ConstructorParameters<typeof GrpcChannel>[0]> = {},
): GrpcChannel {
  const channel = new GrpcChannel({ url, headers: {}, ...options });
  ends.push(() => channel.close());
  return channel;
}

const ask = (channel: GrpcChannel, withinMs = 5_000) =>
  channel.unary(getServiceInfo, {}, performance.now() + withinMs);

async function failureOf(call: Promise<unknown>): Promise<NodeFailure> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(NodeFailure);
  return error as NodeFailure;
}

describe('GrpcChannel', () => {
  it('sends the configured headers as metadata with every call', async () => {
    const seen: unknown[] = [];
    const { url } = await aNode(({ metadata }, reply) => {
      seen.push(metadata.get('x-api-key')[0]);
      named('one')({ metadata }, reply);
    });
    const channel = aChannel(url, { headers: { 'x-api-key': 'k1' } });
    await ask(channel);
    await ask(channel);
    expect(seen).toEqual(['k1', 'k1']);
  });

  it('takes messages of more than 4 MiB, the usual limit of gRPC', async () => {
    const { url } = await aNode(named('n'.repeat(MANY_BYTES)));
    expect((await ask(aChannel(url), 30_000)).server).toHaveLength(MANY_BYTES);
  });

  it('ends a call at its deadline, with an unknown outcome', async () => {
    let isSilent = false;
    const { url } = await aNode((call, reply) => {
      if (!isSilent) named('one')(call, reply);
    });
    const channel = aChannel(url);
    // Connected: the deadline is that of an answer.
    await ask(channel);
    isSilent = true;
    const { message, mayBeProcessed } = await failureOf(ask(channel, 200));
    expect(message).toContain('DEADLINE_EXCEEDED');
    expect(mayBeProcessed).toBe(true);
  });

  it('excludes that a call was processed if there is no connection', async () => {
    const { url, stop } = await aNode(named('one'));
    stop();
    expect((await failureOf(ask(aChannel(url)))).mayBeProcessed).toBe(false);
  });

  it('connects again after the node has been down, and reports each connection', async () => {
    const first = await aNode(named('one'));
    let connects = 0;
    const channel = aChannel(first.url, { onConnect: () => (connects += 1) });
    expect((await ask(channel)).server).toBe('one');
    first.stop();
    await failureOf(ask(channel));
    await aNode(named('two'), `127.0.0.1:${first.port}`);
    let answer: string | undefined;
    const until = performance.now() + 20_000;
    while (answer === undefined && performance.now() < until) {
      answer = await ask(channel).then(
        ({ server }) => server,
        () => undefined,
      );
      // A call without a connection fails without giving the connection a turn.
      await turn();
    }
    expect(answer).toBe('two');
    expect(connects).toBe(2);
  });

  it('notices a silent connection by its keep-alive, and ends the stream', async () => {
    const node = await aNode(named('one'));
    const relay = await SilentRelay.start(node.port);
    ends.push(() => relay.stop());
    const keepAlive = { everyMs: 200, timeoutMs: 200 };
    const channel = aChannel(relay.url, { keepAlive });
    await ask(channel);
    const stream = channel.stream(streamCheckpoints, {})[Symbol.asyncIterator]();
    const next = stream.next();
    relay.isSilent = true;
    const { message } = await failureOf(next);
    expect(message).toContain('UNAVAILABLE');
  });
});

/** Relays bytes to a port until it swallows them, as a firewall that has forgotten a connection. */
class SilentRelay {
  isSilent = false;
  readonly #sockets: Socket[] = [];

  private constructor(
    private readonly server: TcpServer,
    readonly url: string,
  ) {}

  static async start(port: number): Promise<SilentRelay> {
    const server = createServer((socket) => {
      const upstream = connect(port, '127.0.0.1');
      for (const [one, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        relay.#sockets.push(one);
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
        one.on('data', (bytes) => void (relay.isSilent || other.write(bytes)));
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: own } = server.address() as AddressInfo;
    const relay = new SilentRelay(server, `grpc://127.0.0.1:${own}`);
    return relay;
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
  }
}
