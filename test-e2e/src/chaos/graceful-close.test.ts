import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { eventKinds, type StoredEventRecord } from '@forecourt/contracts';
import type { ServiceProcess } from '@forecourt/testing/system';
import { WebSocket } from 'ws';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { buildSponsored, executeTx, reserved } from '../support/application.js';
import { chooseDialect } from '../support/dialect-config.js';
import {
  getAllEvents,
  getEvents,
  type Message,
  postRpc,
  recordsAfter,
} from '../support/events-client.js';
import { EventsSocket } from '../support/events-socket.js';
import { buildCar } from '../support/ledger-user.js';
import { scrape } from '../operations/monitoring/scrape.js';
import { readClockProgram } from '../support/raw-transaction.js';
import { dryRunTx } from '../support/unpaid-transaction.js';
import { useSystem } from '../support/use-system.js';
import { useLedgerUser } from '../support/use-events.js';

const EVERYTHING = { Any: eventKinds.map((kind) => ({ EventType: kind })) };
const ENDED = { code: -32011, message: expect.stringMatching(/shutting down.*the last event/) };
const GOING_AWAY = { code: 1001, reason: expect.stringMatching(/reconnect/) };
const DRAIN_MS = 4_000;
const DRY_RUN = 'iota_dryRunTransactionBlock';
const READ = 'iota_multiGetObjects';

const system = useSystem({
  gateways: 2,
  events: 2,
  env: {
    POOL_TARGET_COINS: '10',
    POOL_MIN_COINS: '5',
    POOL_SCAN_MS: '1000',
    SHUTDOWN_DRAIN_MS: String(DRAIN_MS),
  },
});
const user = useLedgerUser(system);

const socketUrl = (service: ServiceProcess) => `${service.url.replace('http', 'ws')}/rpc`;

async function startShutdown(service: ServiceProcess): Promise<void> {
  service.kill('SIGTERM');
  await system.until(async () => (await fetch(`${service.url}/health/ready`)).status === 503);
}

/** Waits for the exit of the service and restarts it for the next test. */
async function restart(service: ServiceProcess): Promise<void> {
  expect(await service.exited()).toBe(0);
  await service.start();
}

/** Number of messages that the events services have sent to all clients. */
async function messagesSent(): Promise<number> {
  const expositions = await Promise.all(
    system.services('events').map(({ metricsUrl }) => scrape(metricsUrl)),
  );
  return expositions
    .flatMap(({ samples }) => samples)
    .filter(({ name }) => name === 'forecourt_events_messages_sent_total')
    .reduce((sum, { value }) => sum + value, 0);
}

/** The answer that refuses an upgrade. */
async function refusalOf(service: ServiceProcess): Promise<IncomingMessage> {
  const socket = new WebSocket(socketUrl(service));
  const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  answer.destroy();
  return answer;
}

/** The records up to the message that ends a subscription, and that message. */
async function readToEnd(socket: EventsSocket, records: StoredEventRecord[]) {
  for (;;) {
    const message = await socket.next();
    if (!message?.params?.result) return message;
    records.push(message.params.result);
  }
}

describe('gateway shutdown', () => {
  it('notifies subscribers, who resume at another gateway without losing an event', async () => {
    const [stopping, other] = system.services('gateway');
    const start = (await getEvents(other!.url, 'All', null, 1, true)).data[0]!.id;
    const socket = await EventsSocket.open(stopping!.url);
    const subscription = await socket.subscribe(EVERYTHING, start);
    let loaded = true;
    const load = (async () => {
      while (loaded) await user.run((tx) => buildCar(tx, 'Mini', user.address));
    })();
    const received = await socket.records(20);
    const before = performance.now();
    stopping!.kill('SIGTERM');
    expect(await readToEnd(socket, received)).toMatchObject({
      params: { subscription, error: ENDED },
    });
    expect(await socket.closed).toMatchObject(GOING_AWAY);
    // At the beginning of the drain, not at its end.
    expect(performance.now() - before).toBeLessThan(DRAIN_MS);

    const next = await EventsSocket.open(other!.url);
    await next.subscribe(EVERYTHING, received.at(-1)!.id);
    received.push(...(await next.records(20)));
    loaded = false;
    await load;
    const expected = recordsAfter(await getAllEvents(other!.url, 'All'), start);
    expect(received).toEqual(expected.slice(0, received.length));
    next.close();
    await restart(stopping!);
  });

  it('refuses new WebSockets while draining, and still serves requests', async () => {
    const [stopping] = system.services('gateway');
    await startShutdown(stopping!);
    const { statusCode, headers } = await refusalOf(stopping!);
    expect([statusCode, headers['retry-after']]).toEqual([503, '1']);
    const query = { jsonrpc: '2.0', id: 1, method: 'ledger_getEvents', params: ['All', null, 1] };
    expect((await postRpc(stopping!.url, query)).status).toBe(200);
    await restart(stopping!);
  });

  it('ends in time although a client at each of its ports never ends its request', async () => {
    const [stopping] = system.services('gateway');
    const { GATEWAY_PORT, GATEWAY_COMPATIBILITY_PORT } = stopping!.options.env;
    const sockets = [GATEWAY_PORT, GATEWAY_COMPATIBILITY_PORT].map((port) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined).resume();
      socket.write('POST /v1/reserve_gas HTTP/1.1\r\nHost: gateway\r\n');
      return socket;
    });
    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
    await startShutdown(stopping!);
    await restart(stopping!);
    await closed;
  });

  it('delivers everything in transit to a slow reader before it exits', async () => {
    const [stopping, other] = system.services('gateway');
    for (let count = 0; count < 10; count++) {
      await user.run((tx) => {
        for (let car = 0; car < 20; car++) buildCar(tx, 'Mini', user.address);
      });
    }
    const [oldest] = (await getEvents(other!.url, 'All', null, 1)).data;
    const before = await messagesSent();
    const socket = new WebSocket(socketUrl(stopping!));
    const messages: Message[] = [];
    await once(socket, 'open');
    socket.on('message', (data) => {
      messages.push(JSON.parse((data as Buffer).toString()) as Message);
      // The client reads nothing more until the gateway is shutting down.
      if (messages.length === 1) socket.pause();
    });
    const params = [EVERYTHING, oldest!.id];
    const method = 'ledger_subscribeEvent';
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    await system.until(async () => (await messagesSent()) > before + 150);
    expect(socket.isPaused).toBe(true);
    const closed = once(socket, 'close') as Promise<[number, Buffer]>;
    await startShutdown(stopping!);
    socket.resume();
    const [code, reason] = await closed;
    expect({ code, reason: reason.toString() }).toMatchObject(GOING_AWAY);
    expect(messages.at(-1)).toMatchObject({ params: { error: ENDED } });
    const records = messages.slice(1, -1).map(({ params }) => params?.result);
    expect(records.length).toBeGreaterThan(100);
    const expected = recordsAfter(await getAllEvents(other!.url, 'All'), oldest!.id);
    expect(records).toEqual(expected.slice(0, records.length));
    await restart(stopping!);
  });
});

describe('shutdown while the ledger hangs', () => {
  /** Waits until one more call of a method has reached the node. */
  const untilAsked = async (method: string) => {
    const before = await system.control.requestsOf(method);
    await system.until(async () => (await system.control.requestsOf(method)) > before);
  };
  const hang = (method: string) => system.control.fault({ kind: 'latency', ms: 120_000, method });

  it('answers a dry run and an execution that wait for the ledger, and ends in time', async () => {
    const gateways = system.services('gateway');
    const [dryRunner, executor] = gateways.map(({ url }) => ({ ...system.application, url }));
    const reservation = await reserved(executor!);
    const transaction = await buildSponsored(executor!, reservation);
    await hang(DRY_RUN);
    const dryRunAsked = untilAsked(DRY_RUN);
    const dryRun = dryRunTx(dryRunner!, new Ed25519Keypair(), readClockProgram());
    await dryRunAsked;
    await hang(READ);
    const inputsAsked = untilAsked(READ);
    const execution = executeTx(executor!, reservation, transaction);
    await inputsAsked;
    for (const gateway of gateways) gateway.kill('SIGTERM');
    for (const { status, headers } of await Promise.all([dryRun, execution])) {
      expect([status, headers.get('error-code')]).toEqual([503, 'SHUTTING_DOWN']);
      expect(headers.get('retry-after')).toBe('1');
    }
    await system.control.clearFaults();
    await Promise.all(gateways.map(restart));
  });

  it('does not prevent the coin-pool from ending', async () => {
    const [stopping] = system.services('coin-pool');
    // Over gRPC, coins are counted by listing them.
    const count = chooseDialect() === 'grpc' ? 'iotax_getCoins' : 'iotax_getBalance';
    await hang(count);
    await untilAsked(count);
    const before = performance.now();
    stopping!.kill('SIGTERM');
    expect(await stopping!.exited()).toBe(0);
    expect(performance.now() - before).toBeLessThan(15_000);
    await system.control.clearFaults();
    await stopping!.start();
  });
});

describe('events service shutdown', () => {
  it('notifies its subscribers immediately, and new ones reach the other replica', async () => {
    const [gateway] = system.services('gateway');
    const [stopping] = system.services('events');
    const open = () =>
      Promise.all(Array.from({ length: 6 }, () => EventsSocket.open(gateway!.url)));
    const sockets = await open();
    for (const socket of sockets) await socket.subscribe(EVERYTHING);
    const before = performance.now();
    await startShutdown(stopping!);
    // Half of the subscribers are at each replica; the order in which they connect does not tell which.
    const ended: { code: number; reason: string }[] = [];
    for (const { closed } of sockets) void closed.then((close) => ended.push(close));
    await system.until(async () => ended.length === sockets.length / 2, DRAIN_MS);
    for (const close of ended) expect(close).toMatchObject(GOING_AWAY);
    expect(performance.now() - before).toBeLessThan(DRAIN_MS);
    const { statusCode, headers } = await refusalOf(stopping!);
    expect([statusCode, headers['retry-after']]).toEqual([503, '1']);
    const later = await open();
    for (const socket of later) await socket.subscribe(EVERYTHING);
    await restart(stopping!);
    expect(later.map(({ isOpen }) => isOpen)).toEqual(later.map(() => true));
    for (const socket of [...sockets, ...later]) socket.close();
  });
});
