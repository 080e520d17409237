import { once } from 'node:events';
import { constants, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { LedgerService } from '@forecourt/node-messages';
import { describe, expect, it } from '@jest/globals';
import { GrpcChannel } from './grpc-channel.js';
import { frameOf } from './grpc-frames.js';
import {
  ANSWER_HEADERS,
  answerInfo,
  ask,
  ends,
  errorOf,
  infoOf,
  RawNode,
} from './raw-node.test-support.js';

/** Long enough to be told from the pings that hasten an answer. */
const KEEP_ALIVE_MS = 300;

type Serve = Parameters<typeof RawNode.start>[0];

/** The URL of a node behind Nagle's algorithm, with a client's kernel that acknowledges only with what it sends. */
async function behindNagle(node: RawNode): Promise<string> {
  const relay = createServer((client) => {
    const server = connect(Number(new URL(node.url).port), '127.0.0.1');
    let isAcknowledged = true;
    let waiting: Buffer[] = [];
    const forward = () => {
      if (!isAcknowledged || waiting.length === 0) return;
      isAcknowledged = false;
      client.write(Buffer.concat(waiting));
      waiting = [];
    };
    server.on('data', (data) => {
      waiting.push(data);
      forward();
    });
    client.on('data', (data) => {
      isAcknowledged = true;
      forward();
      server.write(data);
    });
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    ends.push(() => client.destroy());
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  ends.push(() => relay.close());
  return `grpc://127.0.0.1:${(relay.address() as AddressInfo).port}`;
}

/** Answers in three parts, each written in a turn of its own after `until`. */
async function answerInParts(stream: ServerHttp2Stream, until: () => Promise<unknown> = turn) {
  stream.respond(ANSWER_HEADERS, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  await until();
  stream.write(frameOf(infoOf('raw')));
  await until();
  stream.end();
}

async function aNode(serve: Serve): Promise<RawNode> {
  const node = await RawNode.start(serve);
  ends.push(() => node.stop());
  return node;
}

function aChannel(
  url: string,
  keepAlive = { everyMs: KEEP_ALIVE_MS, timeoutMs: 10_000 },
): GrpcChannel {
  const channel = new GrpcChannel({ url, headers: {}, keepAlive });
  ends.push(() => channel.close());
  return channel;
}

describe('an answer whose parts wait for the acknowledgement of those before', () => {
  it.each<[string, (node: RawNode) => () => Promise<unknown>]>([
    ['at once', () => turn],
    [
      'as pings arrive',
      ({ sessions }) =>
        () =>
          once(sessions[0]!, 'ping'),
    ],
  ])('is complete in time if the node writes them %s', async (_when, pause) => {
    const node = await aNode((stream) => void answerInParts(stream, pause(node)));
    const channel = aChannel(await behindNagle(node), { everyMs: 60_000, timeoutMs: 60_000 });
    await ask(channel);
    await Promise.all([ask(channel), ask(channel)]);
    await ask(channel);
  });
});

describe('the pings that hasten an answer', () => {
  /** When the node receives pings, in ms after its first request. */
  function watchPings(node: RawNode): number[] {
    const pings: number[] = [];
    const startedAt = performance.now();
    node.sessions.at(-1)!.on('ping', () => pings.push(performance.now() - startedAt));
    return pings;
  }

  it('end when the answer does not come', async () => {
    let pings: number[] = [];
    const node = await aNode((stream) => {
      pings = watchPings(node);
      node.sessions[0]!.on('ping', () => pings.at(-1)! > KEEP_ALIVE_MS / 2 && answerInfo(stream));
    });
    await ask(aChannel(node.url));
    // The last one is that of the keep-alive.
    expect(pings.length).toBeGreaterThan(2);
    expect(pings.length).toBeLessThanOrEqual(5);
  });

  it('are not sent for a stream without end', async () => {
    let pings: number[] = [];
    const node = await aNode((stream) => {
      pings = watchPings(node);
      node.sessions[0]!.once('ping', () => answerInfo(stream));
    });
    const stream = aChannel(node.url).stream(LedgerService.method.streamCheckpoints, {});
    await stream.next();
    expect(pings).toEqual([expect.any(Number)]);
    expect(pings[0]).toBeGreaterThan(KEEP_ALIVE_MS / 2);
  });

  it('are not sent any longer to a server that ends the connection because of them', async () => {
    let pings: number[] = [];
    const node = await aNode((stream) => {
      pings = watchPings(node);
      const session = node.sessions.at(-1)!;
      if (node.sessions.length > 1) session.once('ping', () => answerInfo(stream));
      else session.once('ping', () => session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM));
    });
    const channel = aChannel(node.url);
    expect(await errorOf(ask(channel))).toMatchObject({ mayBeProcessed: true });
    await ask(channel);
    expect(pings[0]).toBeGreaterThan(KEEP_ALIVE_MS / 2);
  });
});
