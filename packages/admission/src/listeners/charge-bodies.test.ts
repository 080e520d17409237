import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { FairShares } from '@forecourt/resilience';
import { ProcessorShares } from '../limits/processor-shares.js';
import { chargeBodies, type ChargedBodies } from './charge-bodies.js';
import { readJson } from './read-json.js';

const TOTAL = 64 * 1024;

let server: FastifyInstance;
let shares: FairShares;
/** Each reading of the clock shows so much more, so that reading a body takes as long. */
const TICK_MS = 200;
let now = 0;
beforeEach(async () => {
  shares = new FairShares({ total: TOTAL, share: 1 / 2 });
  server = fastify();
  const bodies: ChargedBodies = {
    shares,
    processor: new ProcessorShares(() => (now += TICK_MS)),
    clientOf: ({ headers }) => [String(headers['x-client'])],
    refuse: (reply, reason) => reply.code(reason === 'too much' ? 503 : 408).send(reason),
  };
  chargeBodies(server, bodies);
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson(server, bodies));
  server.post('/', async (request) => JSON.stringify(request.body).length);
  await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

/** A request that announces a body and sends the first part of it. */
async function begin(client: string, length: string, part: string): Promise<Socket> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const lines = ['POST / HTTP/1.1', 'Host: x', 'Content-Type: application/json', length];
  socket.write(`${[...lines, `X-Client: ${client}`].join('\r\n')}\r\n\r\n${part}`);
  return socket;
}

async function answerOf(socket: Socket): Promise<string> {
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString('latin1');
}

const statusOf = async (socket: Socket) => (await answerOf(socket)).slice(9, 12);

const announcing = (bytes: number) => `Content-Length: ${bytes}`;
const bodyOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
const chunkOf = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;

async function post(client: string, bytes: number): Promise<string> {
  const socket = await begin(client, announcing(bytes), bodyOf(bytes));
  const status = await statusOf(socket);
  socket.destroy();
  return status;
}

describe('bodies of requests', () => {
  it('cost their clients nothing before they arrive', async () => {
    const idle = [];
    for (let count = 0; count < 20; count++) {
      idle.push(await begin('a', announcing(2 ** 19), ''));
      idle.push(await begin('a', 'Transfer-Encoding: chunked', ''));
    }
    expect([await post('a', 20_000), shares.held]).toEqual(['200', 0]);
    for (const socket of idle) socket.destroy();
  });

  it.each([
    ['with a length', announcing(2 ** 19), 'x'.repeat(40_000)],
    ['in chunks', 'Transfer-Encoding: chunked', chunkOf(40_000)],
  ])('are refused beyond the share of their client, %s', async (_form, length, part) => {
    const small = await begin('a', announcing(2 ** 19), 'x');
    await begin('a', length, part).then(async (socket) => {
      expect(await statusOf(socket)).toBe('503');
      await once(socket.resume(), 'close');
    });
    expect(await post('b', 20_000)).toBe('200');
    small.destroy();
  });

  it('are no longer counted when their client has left', async () => {
    const sent = await begin('a', announcing(2 ** 19), 'x'.repeat(20_000));
    while (shares.held < 20_000) await new Promise((resolve) => setImmediate(resolve));
    sent.destroy();
    while (shares.held > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await post('a', 30_000)).toBe('200');
  });

  it('are refused when they do not arrive', async () => {
    const socket = await begin('a', announcing(1_000), 'x');
    expect(await statusOf(socket)).toBe('408');
  });

  it.each([
    ['deep', '['.repeat(40_000)],
    ['wide', `[${'1,'.repeat(20_000)}1]`],
    ['of many fields', `{${'"a":1,'.repeat(8_000)}"b":1}`],
  ])('are refused unparsed when they are %s', async (_kind, body) => {
    const socket = await begin('a', announcing(body.length), body);
    expect(await answerOf(socket)).toMatch(/^HTTP\/1.1 400 .*message .* send only what/s);
    socket.destroy();
  });

  it('cost their clients the time in which they are read, also if they are refused', async () => {
    const statuses = new Set<string>();
    for (let count = 0; count < 20; count++) {
      const socket = await begin('slow', announcing(5), '[1,2}');
      statuses.add(await statusOf(socket));
      socket.destroy();
    }
    expect(statuses).toEqual(new Set(['400', '503']));
    expect(await post('other', 20)).toBe('200');
  });
});
