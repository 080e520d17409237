import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import type { Message } from '../support/events-client.js';
import { system, user } from '../support/systems/attacked-events-system.js';
import { buildCar } from '../support/ledger-user.js';
import { scrape } from '../operations/monitoring/scrape.js';
import { call, exchange, openAs, postAs, query } from './events-attacker.js';
import { nodeAlone, useEvents } from '../support/use-events.js';
import { websocketUpgrade } from '../support/websocket-upgrade.js';

const ATTACKER = '203.0.113.66';
const HONEST = '198.51.100.1';
const PAGE = 1_000;
const SHARE = 256;

const events = useEvents(() => ({
  ...nodeAlone(system),
  NODE_OPTIONS: '--max-old-space-size=256',
  // One address may hold a sixteenth of what others leave.
  EVENTS_MAX_CONNECTIONS: String(16 * SHARE),
}));

async function buildCars(count: number): Promise<void> {
  await user.run((tx) => {
    for (let car = 0; car < count; car++) buildCar(tx, 'Mini', user.address);
  });
}

/** An honest client gets its answer from the same process as before. */
async function expectServed(): Promise<void> {
  const { status, text } = await postAs(events.url, HONEST, query(1, 'All', null, PAGE));
  expect(status).toBe(200);
  const { result } = JSON.parse(text) as { result: { data: unknown[] } };
  expect(result.data).toHaveLength(PAGE);
}

async function shedSoFar(): Promise<number> {
  const { samples } = await scrape(events.metricsUrl);
  const shed = samples.find(({ name }) => name === 'forecourt_events_consumers_shed_total');
  return shed?.value ?? 0;
}

const subscribe = (id: number, filter: unknown) => call(id, 'ledger_subscribeEvent', filter);
const field = (path: string, value: unknown) => ({ MoveEventField: { path, value } });

function count(replies: readonly Message[], code: number): number {
  return replies.filter(({ error }) => error?.code === code).length;
}

describe('events service with little memory', () => {
  beforeAll(async () => {
    // More than a page of a thousand events.
    for (let count = 0; count < 10; count++) await buildCars(60);
  });

  it('survives small batches that request huge responses', async () => {
    const socket = await openAs(events.url, ATTACKER);
    const batch = Array.from({ length: 50 }, (_, id) => query(id, 'All', null, PAGE));
    const text = JSON.stringify(batch);
    for (let sent = 0; sent < 32; sent++) socket.send(text);
    const first = await new Promise<string>((resolve) =>
      socket.once('message', (data) => resolve((data as Buffer).toString())),
    );
    const answers = JSON.parse(first) as Message[];
    expect(answers).toHaveLength(50);
    // As many answers as fit are served; the others carry an error with the reason.
    const served = answers.filter(({ result }) => result !== undefined);
    expect(served.length).toBeGreaterThan(10);
    expect(count(answers, -32702)).toBe(50 - served.length);
    await expectServed();
    socket.terminate();
  });

  it('refuses filters beyond the memory limits', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 10 }, () => openAs(events.url, ATTACKER)),
    );
    const huge = 'x'.repeat(1_000_000);
    const large = 'x'.repeat(100_000);
    const replies = await Promise.all(
      sockets.map((socket) =>
        exchange(socket, [
          subscribe(0, field('/model', huge)),
          ...Array.from({ length: 38 }, (_, id) => subscribe(1 + id, field('/model', large + id))),
        ]),
      ),
    );
    const all = replies.flat();
    expect(count(all, -32602)).toBe(10);
    const accepted = all.filter(({ result }) => result !== undefined);
    expect(accepted.length).toBeGreaterThan(10);
    expect(count(all, -32006)).toBe(390 - 10 - accepted.length);
    // The limit is 16 MiB per client, and each text takes three copies.
    expect(accepted.length * 300_000).toBeLessThan(16 * 2 ** 20);
    await expectServed();
    for (const socket of sockets) socket.terminate();
  });

  it('refuses MoveEventField paths beyond the limit', async () => {
    const socket = await openAs(events.url, ATTACKER);
    const replies = await exchange(
      socket,
      Array.from({ length: 200 }, (_, id) =>
        subscribe(id, {
          Any: Array.from({ length: 999 }, (_value, index) => field(`/a${id}_${index}`, 1)),
        }),
      ),
    );
    expect(count(replies, -32006)).toBe(200);
    expect(replies[0]!.error!.message).toMatch(/128 different MoveEventField paths per connection/);
    const few = await exchange(
      socket,
      Array.from({ length: 200 }, (_, id) => subscribe(id, field(`/a${id}`, 1))),
    );
    expect(count(few, -32006)).toBe(200 - 128);
    await expectServed();
    socket.terminate();
  });

  it('closes connections that never read, and no others', async () => {
    const before = await shedSoFar();
    const honest = await openAs(events.url, HONEST);
    const heard: Message[] = [];
    honest.on('message', (data) => heard.push(JSON.parse((data as Buffer).toString()) as Message));
    await exchange(honest, [subscribe(1, { SenderAddress: user.address })]);
    const silent: WebSocket[] = [];
    const batch = JSON.stringify(
      Array.from({ length: 10 }, (_, id) => query(id, 'All', null, PAGE)),
    );
    for (let opened = 0; opened < 40; opened++) {
      const socket = await openAs(events.url, `203.0.113.${opened % 3}`);
      socket.pause();
      socket.send(batch);
      silent.push(socket);
    }
    await system.until(async () => (await shedSoFar()) > before);
    await expectServed();
    await buildCars(20);
    await system.until(async () => heard.length >= 1 + 40);
    expect(honest.readyState).toBe(honest.OPEN);
    honest.terminate();
    for (const socket of silent) socket.terminate();
  });

  it('survives clients that disconnect without reading their responses', async () => {
    for (let round = 0; round < 3; round++) {
      const socket = await openAs(events.url, ATTACKER);
      socket.pause();
      const batch = Array.from({ length: 10 }, (_, id) => query(id, 'All', null, PAGE));
      for (let sent = 0; sent < 3; sent++) socket.send(JSON.stringify(batch));
      await expectServed();
      socket.terminate();
    }
    await expectServed();
  });

  it('closes connections whose messages never become complete', async () => {
    const before = await shedSoFar();
    const { hostname, port } = new URL(events.url);
    const upgrade = websocketUpgrade(`x-forecourt-client: ${ATTACKER}`);
    // A masked text frame of a million bytes; the last byte is never sent.
    const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40, 0, 0, 0, 0]);
    const most = Buffer.concat([head, Buffer.alloc(999_999, ' ')]);
    const sockets = Array.from({ length: 120 }, () => {
      const socket = connect(Number(port), hostname, () => socket.write(upgrade));
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(most));
      return socket;
    });
    await system.until(async () => (await shedSoFar()) > before);
    await expectServed();
    for (const socket of sockets) socket.destroy();
  });

  it('limits the connections of one client without affecting others', async () => {
    const sockets: WebSocket[] = [];
    const open = async (count: number) => {
      while (count-- > 0) sockets.push(await openAs(events.url, ATTACKER));
    };
    await open(SHARE / 2);
    await expect(open(SHARE / 2 + 1)).rejects.toThrow(/429/);
    sockets.push(await openAs(events.url, HONEST));
    for (const socket of sockets) socket.terminate();
  });
});
