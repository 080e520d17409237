import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import fc from 'fast-check';
import { WebSocket } from 'ws';
import { sponsor } from '../../support/application.js';
import { untilAtRest } from '../../chaos/until-at-rest.js';
import { getEvents } from '../../support/events-client.js';
import { scrape, sumOf } from '../../operations/monitoring/scrape.js';
import { readFuzzConfig } from './fuzz-config.js';
import { httpRequests } from './http-garbage.js';
import { exchange, type RawRequest } from './http-exchange.js';
import { judge, judgeReplies, judgeRpc } from './judge.js';
import { parseAnswers, rawExchange } from './raw-exchange.js';
import { rawRequests } from './raw-garbage.js';
import { frames, rpcMessages } from './rpc-garbage.js';
import { DamagedTransactions } from './damaged-transactions.js';
import { useSystem } from '../../support/use-system.js';
import { websocketUpgrade } from '../../support/websocket-upgrade.js';

const { seed, scale } = readFuzzConfig();
/** A process that keeps everything it receives exceeds this limit long before the end of a long run. */
const HEAP_LIMIT_MIB = 256;
const HEAP_GROWTH_BYTES = 64 * 1024 * 1024;
const APPS = ['gateway', 'coin-pool', 'executor', 'events'] as const;
const COINS = 60;
/** WebSocket codes for a message that is too large; a reset of the unsent rest can hide the first. */
const TOO_BIG = [1009, 1006];

const user = Ed25519Keypair.deriveKeypairFromSeed('07'.repeat(32));

const system = useSystem({
  events: 1,
  env: {
    POOL_TARGET_COINS: String(COINS),
    RPC_REQUESTS_PER_SECOND: '10000',
    NODE_OPTIONS: `--max-old-space-size=${HEAP_LIMIT_MIB}`,
  },
});
let url: string;
let atFirst: { readonly pids: (number | undefined)[]; readonly heaps: number[] };

beforeAll(async () => {
  process.stderr.write(`fuzz: FORECOURT_SEED=${seed} FORECOURT_FUZZ_SCALE=${scale}\n`);
  url = system.application.url;
  await sponsor(system.application);
  atFirst = { pids: processes().map(({ pid }) => pid), heaps: await leastHeaps() };
});

const processes = () => APPS.flatMap((app) => system.services(app));
const rounds = (count: number) => ({ seed, numRuns: Math.ceil(count * scale) });
jest.setTimeout(300_000 * (1 + scale));

/** Heap of each process: the minimum of several samples, because garbage fluctuates. */
async function leastHeaps(): Promise<number[]> {
  const least = processes().map(() => Infinity);
  for (let look = 0; look < 10; look++) {
    await delay(300);
    const heaps = await Promise.all(
      processes().map(async ({ metricsUrl }) =>
        sumOf(await scrape(metricsUrl), 'forecourt_nodejs_heap_size_used_bytes'),
      ),
    );
    heaps.forEach((heap, index) => (least[index] = Math.min(least[index]!, heap)));
  }
  return least;
}

async function judged(request: RawRequest): Promise<void> {
  const answer = await exchange(url, request).catch((error: NodeJS.ErrnoException) => {
    // The server closes the connection when it refuses a body before it was sent completely.
    if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return null;
    throw error;
  });
  if (answer === null) return;
  const isRpc = request.path.split(/[?#]/, 1)[0] === '/rpc';
  const wrong = (isRpc ? judgeRpc : judge)(answer, request.method);
  if (wrong !== null) throw new Error(`${wrong}\n${answer.status} ${answer.body.slice(0, 400)}`);
}

describe('malformed input', () => {
  it('is refused over HTTP with a clear error, for every route, header and body', async () => {
    const requests = httpRequests(system.application.token);
    await fc.assert(fc.asyncProperty(requests, judged), rounds(1_000));
  });

  it('is refused or disconnected if it is not HTTP', async () => {
    const property = fc.asyncProperty(
      fc.array(rawRequests(system.application.token), { minLength: 8, maxLength: 8 }),
      async (many) => {
        const arrived = await Promise.all(many.map((pieces) => rawExchange(url, pieces)));
        arrived.forEach((bytes, index) => {
          for (const answer of parseAnswers(bytes)) {
            // A refused upgrade is part of the handshake: the client only gets a status.
            if (many[index]!.some((piece) => piece.includes('Upgrade: websocket'))) continue;
            const wrong = judge(answer, 'POST');
            if (wrong === null) continue;
            const sent = JSON.stringify(many[index]).slice(0, 300);
            throw new Error(`${wrong}\n${sent}\n${bytes.toString().slice(0, 600)}`);
          }
        });
      },
    );
    await fc.assert(property, rounds(30));
  });

  it('is abandoned if it arrives slowly, while other clients are served', async () => {
    const head = [
      'POST /v1/reserve_gas HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      `Authorization: Bearer ${system.application.token}`,
      'Content-Length: 1000',
      '',
      '',
    ].join('\r\n');
    const slow = [head, ...Array<string>(100).fill('{')];
    const half = [head.slice(0, 60)];
    const all = [slow, slow, half, half].map((pieces) =>
      rawExchange(url, pieces, { pauseMs: 200, quietMs: 60_000 }),
    );
    await sponsor(system.application);
    for (const bytes of await Promise.all(all)) {
      const [answer] = parseAnswers(bytes);
      expect([answer?.status, judge(answer!, 'POST')]).toEqual([408, null]);
    }
  });

  it('is refused with a clear error if it is made of real transactions and signatures', async () => {
    const damaged = await DamagedTransactions.open(system.application, user);
    const attempts = fc.array(damaged.attempts, { minLength: 8, maxLength: 8 });
    const property = fc.asyncProperty(attempts, (many) => damaged.tryAll(many));
    await fc.assert(property, { ...rounds(50), endOnFailure: true });
  });

  it('gets errors of JSON-RPC over HTTP', async () => {
    const headers = { 'content-type': 'application/json' };
    await fc.assert(
      fc.asyncProperty(rpcMessages, (body) =>
        judged({ method: 'POST', path: '/rpc', headers, body }),
      ),
      rounds(600),
    );
  });

  it('gets errors of JSON-RPC over WebSocket, and the connection stays open', async () => {
    const connect = async () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/rpc`);
      await once(socket, 'open');
      return socket;
    };
    let socket = await connect();
    let sent = 0;
    const property = fc.asyncProperty(rpcMessages, async (message) => {
      sent += 1;
      if (sent % 100 === 0) {
        socket.close();
        socket = await connect();
      }
      const mark = `after ${sent}`;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const listen = (data: Buffer) => {
        const answer = data.toString();
        if (answer.startsWith(`{"jsonrpc":"2.0","id":"${mark}"`)) return resolve();
        const wrong = judgeReplies(answer);
        if (wrong !== null) reject(new Error(`${wrong}\n${answer.slice(0, 400)}`));
      };
      const onClose = (code: number) => {
        if (!TOO_BIG.includes(code) || message.length < 1_000_000) {
          return reject(new Error(`closed with ${code}`));
        }
        sent = 99;
        resolve();
      };
      socket.on('message', listen).once('close', onClose);
      socket.send(message);
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: mark, method: 'rpc.discover' }));
      try {
        await promise;
      } finally {
        socket.off('message', listen).off('close', onClose);
      }
    });
    await fc.assert(property, { ...rounds(500), endOnFailure: true });
    socket.close();
  });

  it('ends only the connection that sent it as frames', async () => {
    const connections = fc.array(fc.array(frames, { minLength: 1, maxLength: 5 }), {
      minLength: 8,
      maxLength: 8,
    });
    let upgraded = 0;
    const property = fc.asyncProperty(connections, async (many) => {
      const arrived = await Promise.all(
        many.map((one) => rawExchange(url, [websocketUpgrade(), ...one])),
      );
      // A reset discards data that was not read yet.
      const heads = arrived.map((bytes) => bytes.toString('latin1', 0, 12)).filter(Boolean);
      for (const head of heads) expect(head).toBe('HTTP/1.1 101');
      upgraded += heads.length;
    });
    await fc.assert(property, { ...rounds(15), endOnFailure: true });
    expect(upgraded).toBeGreaterThan(0);
    const open = async () => sumOf(await scrape(events.metricsUrl), 'forecourt_events_connections');
    const events = system.services('events')[0]!;
    await system.until(async () => (await open()) === 0);
  });
});

describe('the system after all malformed input', () => {
  it('has a full and exact pool, and serves requests', async () => {
    // A transaction that a node refuses with an unknown text is quarantined until the epoch ends.
    const rest = await untilAtRest(system, COINS, performance.now() + 120_000);
    expect(rest).toMatchObject({ atRest: true, held: '' });
    expect((await sponsor(system.application)).answer.status).toBe(200);
    expect((await getEvents(url, 'All', null, 1)).data).toHaveLength(1);
    expect(await system.differences()).toEqual([]);
  });

  it('has no process that restarted, logged an unexpected error or grew', async () => {
    expect(processes().map(({ pid, running }) => [pid, running])).toEqual(
      atFirst.pids.map((pid) => [pid, true]),
    );
    for (const service of processes()) {
      const errors = (await service.log())
        .split('\n')
        .filter((line) => !line.startsWith('{') || line.includes('"level":"error"'))
        .filter((line) => line !== '');
      expect([service.name, errors]).toEqual([service.name, []]);
    }
    const heaps = await leastHeaps();
    const grown = heaps.map((heap, index) => heap - atFirst.heaps[index]!);
    const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10;
    const texts = processes().map(
      ({ name }, index) =>
        `${name} ${megabytes(atFirst.heaps[index]!)} → ${megabytes(heaps[index]!)} MB`,
    );
    process.stderr.write(`fuzz: heaps ${texts.join(', ')}\n`);
    expect(grown.filter((bytes) => bytes > HEAP_GROWTH_BYTES)).toEqual([]);
  });
});
