import { once } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { LedgerService } from '../../node-messages/index.js';
import { describe, expect, it } from '@jest/globals';
import { GrpcChannel } from './grpc-channel.js';
import { frameOf } from './grpc-call.js';
import {
  ANSWER_HEADERS,
  answerInfo,
  ask,
  endAfterEachTest,
  ends,
  infoOf,
  RawNode,
} from './raw-node.test-support.js';

endAfterEachTest();

/** Much longer than a real kernel's 40 ms, so that a busy machine does not look like one. */
const ACKNOWLEDGE_MS = 500;
/** The pings that hasten an answer are closer together. */
const QUIET_MS = 200;

type Serve = Parameters<typeof RawNode.start>[0];

/**
 * A node behind Nagle's algorithm, and a client's kernel that acknowledges with what it sends, or at last
 * alone.
 */
async function behindNagle(serve: Serve) {
  const node = await aNode(serve);
  const kernel = { url: '', acknowledgedAlone: 0 };
  const relay = createServer((client) => {
    const server = connect(Number(new URL(node.url).port), '127.0.0.1');
    let waiting: Buffer[] = [];
    let alone: NodeJS.Timeout | null = null;
    const acknowledge = () => {
      clearTimeout(alone ?? undefined);
      alone = null;
      send();
    };
    const send = () => {
      if (alone !== null || waiting.length === 0) return;
      client.write(Buffer.concat(waiting));
      waiting = [];
      alone = setTimeout(() => {
        if (waiting.length > 0) kernel.acknowledgedAlone += 1;
        acknowledge();
      }, ACKNOWLEDGE_MS);
    };
    server.on('data', (data) => {
      waiting.push(data);
      send();
    });
    client.on('data', (data) => {
      acknowledge();
      server.write(data);
    });
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.on('close', () => {
      clearTimeout(alone ?? undefined);
      server.destroy();
    });
    server.on('close', () => client.destroy());
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  ends.push(() => relay.close());
  kernel.url = `grpc://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  return { node, kernel };
}

/** Answers in three parts, with this between them. */
async function answerInParts(stream: ServerHttp2Stream, pause: () => Promise<unknown> = turn) {
  stream.respond(ANSWER_HEADERS, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  await pause();
  stream.write(frameOf(infoOf('raw')));
  await pause();
  stream.end();
}

async function aNode(serve: Serve): Promise<RawNode> {
  const node = await RawNode.start(serve);
  ends.push(() => node.stop());
  return node;
}

function aChannel(url: string): GrpcChannel {
  const keepAlive = { everyMs: 60_000, timeoutMs: 60_000 };
  const channel = new GrpcChannel({ url, headers: {}, keepAlive });
  ends.push(() => channel.close());
  return channel;
}

/**
 * Calls until parts of an answer wait: that to the first call waits as a whole, behind the frames that open a
 * connection.
 */
async function holdUp(channel: GrpcChannel): Promise<void> {
  await ask(channel);
  await ask(channel);
}

describe('an answer whose parts wait for the acknowledgement of those before', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['at once', turn],
    ['one after the other', () => delay(5)],
  ])('is held up only at first if the node writes them %s', async (_how, pause) => {
    const { kernel } = await behindNagle((stream) => void answerInParts(stream, pause));
    const channel = aChannel(kernel.url);
    await holdUp(channel);
    expect(kernel.acknowledgedAlone).toBeGreaterThan(0);
    kernel.acknowledgedAlone = 0;
    for (let calls = 0; calls < 5; calls++) {
      await Promise.all([ask(channel), ask(channel)]);
      await ask(channel);
    }
    expect(kernel.acknowledgedAlone).toBe(0);
  });
});

describe('the pings that hasten an answer', () => {
  /** Answers once no more pings come; resolves to their number. */
  function answerWhenQuiet({ sessions }: RawNode, stream: ServerHttp2Stream): Promise<number> {
    return new Promise((resolve) => {
      let pings = 0;
      const count = () => {
        pings += 1;
        quiet.refresh();
      };
      const quiet = setTimeout(() => {
        sessions[0]!.off('ping', count);
        answerInfo(stream);
        resolve(pings);
      }, QUIET_MS);
      sessions[0]!.on('ping', count);
    });
  }

  it('are not sent to a node that holds up no answers', async () => {
    let pings: Promise<number> | undefined;
    let calls = 0;
    const node = await aNode((stream) => {
      if (calls++ === 0) answerInfo(stream);
      else pings = answerWhenQuiet(node, stream);
    });
    const channel = aChannel(node.url);
    await ask(channel);
    await ask(channel);
    expect(await pings).toBe(0);
  });

  it('end when the answer does not come, and are not sent for a stream without end', async () => {
    const pings: Promise<number>[] = [];
    let calls = 0;
    const { node, kernel } = await behindNagle((stream) => {
      if (calls++ < 2) void answerInParts(stream);
      else pings.push(answerWhenQuiet(node, stream));
    });
    const channel = aChannel(kernel.url);
    await holdUp(channel);
    await ask(channel);
    await channel.stream(LedgerService.method.streamCheckpoints, {}).next();
    const [unary, stream] = await Promise.all(pings);
    expect(unary).toBeGreaterThan(1);
    expect(stream).toBe(0);
  });
});
