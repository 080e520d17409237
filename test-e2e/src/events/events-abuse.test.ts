import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import type { Message } from '../support/events-client.js';
import { EventsSocket } from '../support/events-socket.js';
import { system, user } from '../support/systems/events-system.js';
import { buildCar } from '../support/ledger-user.js';
import { startEvents } from '../support/start-events.js';
import { useEvents } from '../support/use-events.js';
import { websocketUpgrade } from '../support/websocket-upgrade.js';

const SUBSCRIPTIONS = 50;
const CARS = 60;
const TRANSACTIONS = 8;

const events = useEvents(() => ({
  EVENTS_UPSTREAMS: system.ledgerUrl,
  EVENTS_MAX_BUFFERED_BYTES: '65536',
}));

async function makeManyEvents(): Promise<void> {
  for (let count = 0; count < TRANSACTIONS; count++) {
    await user.run((tx) => {
      for (let car = 0; car < CARS; car++) buildCar(tx, 'Mini', user.address);
    });
  }
}

const bySender = () => ({ And: [{ SenderAddress: user.address }, { EventType: 'MoveEvent' }] });
const subscribeCall = (id: number, filter: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'ledger_subscribeEvent', params: [filter] });

/** Resolves with the first `count` messages; rejects with `Error` if the socket closes before. */
async function take(socket: WebSocket, count: number): Promise<Message[]> {
  const messages: Message[] = [];
  const done = Promise.withResolvers<void>();
  const closed = (code: number) =>
    done.reject(new Error(`closed with ${code} after ${messages.length} messages`));
  socket.on('close', closed);
  const listen = (data: unknown) => {
    messages.push(JSON.parse((data as Buffer).toString()) as Message);
    if (messages.length >= count) done.resolve();
  };
  socket.on('message', listen);
  await done.promise;
  socket.off('message', listen);
  socket.off('close', closed);
  return messages;
}

describe('a client that does not read', () => {
  it('gets its subscriptions ended with a reason while other clients miss nothing', async () => {
    // Long enough that the slow client is notified before its ping times out.
    const slowEvents = await startEvents({
      EVENTS_UPSTREAMS: system.ledgerUrl,
      EVENTS_MAX_BUFFERED_BYTES: '65536',
    });
    const slow = new WebSocket(`${slowEvents.url.replace('http', 'ws')}/rpc`);
    await once(slow, 'open');
    const agreed = take(slow, SUBSCRIPTIONS);
    for (let id = 0; id < SUBSCRIPTIONS; id++) slow.send(subscribeCall(id, bySender()));
    await agreed;
    slow.pause();
    const healthy = await EventsSocket.open(slowEvents.url);
    await healthy.subscribe(bySender());

    await makeManyEvents();
    const expected = await healthy.records(CARS * TRANSACTIONS);
    expect(new Set(expected.map(({ id }) => `${id.txSeq}:${id.eventSeq}`)).size).toBe(
      expected.length,
    );

    const received = new Map<number, Message[]>();
    let ended = 0;
    const allEnded = Promise.withResolvers<void>();
    slow.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as Message;
      if (!message.params) return;
      const { subscription, error } = message.params;
      received.set(subscription, [...(received.get(subscription) ?? []), message]);
      if (error && ++ended === SUBSCRIPTIONS) allEnded.resolve();
    });
    slow.resume();
    await allEnded.promise;
    for (const messages of received.values()) {
      const end = messages.pop();
      expect(end!.params!.error).toMatchObject({ code: -32010 });
      const records = messages.map(({ params }) => params!.result);
      expect(records).toEqual(expected.slice(0, records.length));
      expect(records.length).toBeLessThan(expected.length);
    }
    // The connection still works.
    const again = take(slow, 1);
    slow.send(subscribeCall(99, bySender()));
    expect((await again)[0]).toMatchObject({ id: 99, result: expect.any(Number) });
    slow.close();
    healthy.close();
    await slowEvents.stop();
  });

  it('is disconnected when it does not respond to a ping', async () => {
    const impatient = await startEvents({
      EVENTS_UPSTREAMS: system.ledgerUrl,
      EVENTS_PING_INTERVAL_MS: '300',
    });
    const { hostname, port } = new URL(impatient.url);
    const socket = connect(Number(port), hostname);
    socket.write(websocketUpgrade());
    socket.resume();
    await once(socket, 'close');
    await impatient.stop();
  });
});

describe('a flood of calls', () => {
  it('gets a response to every call, up to the limits, while other clients are served', async () => {
    const flood = new WebSocket(`${events.url.replace('http', 'ws')}/rpc`);
    await once(flood, 'open');
    const other = await EventsSocket.open(events.url);
    const replies = take(flood, 5_000);
    for (let id = 0; id < 5_000; id++) flood.send(subscribeCall(id, { Module: 'nobody' }));
    await other.subscribe(bySender());
    await user.run((tx) => buildCar(tx, 'Mini', user.address));
    await other.records(1);
    const answers = await replies;
    const accepted = answers.filter(({ result }) => result !== undefined);
    const refused = answers.filter(({ error }) => error?.code === -32006);
    expect([accepted.length, refused.length]).toEqual([1_024, 3_976]);
    expect(new Set(accepted.map(({ result }) => result)).size).toBe(1_024);
    flood.close();
    other.close();
  });

  it('gets 404 for upgrades on other paths and for requests without an upgrade', async () => {
    for (const url of [system.application.url, events.url]) {
      const elsewhere = new WebSocket(`${url.replace('http', 'ws')}/elsewhere`);
      const [error] = (await once(elsewhere, 'error')) as [Error];
      expect(error.message).toMatch(/404/);
      expect((await fetch(`${url}/rpc`)).status).toBe(404);
    }
  });
});
