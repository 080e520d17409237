import { beforeAll, describe, expect, it } from '@jest/globals';
import { getAllEvents, getEvents, recordsAfter } from '../support/events-client.js';
import { EventsSocket } from '../support/events-socket.js';
import { FaithfulClient, keepLedgerBusy } from '../support/faithful-client.js';
import { buildCar } from '../support/ledger-user.js';
import { startEvents } from '../support/start-events.js';
import { useSystem } from '../support/use-system.js';
import { useLedgerUser } from '../support/use-events.js';

const ROUNDS = 10;

const system = useSystem((files) => ({
  lagMs: 0,
  events: 2,
  env: {
    POOL_TARGET_COINS: '10',
    POOL_MIN_COINS: '5',
    EVENTS_NODE_CALLS_PER_SECOND_PER_CLIENT: '10000',
    DEVNET_DATA_DIR: files.path,
    // Empty checkpoints have events as well.
    DEVNET_CHECKPOINT_MS: '100',
  },
}));
const user = useLedgerUser(system);
let gateway: string;
beforeAll(() => {
  gateway = system.application.url;
});

async function kill(app: 'devnet' | 'events', replica: number): Promise<void> {
  const service = system.services(app)[replica]!;
  service.kill();
  await service.exited();
  await service.start();
}

describe('subscription', () => {
  it('has neither gaps nor duplicates, regardless of the process that is killed under load', async () => {
    const start = (await getEvents(gateway, 'All', null, 1, true)).data[0]!.id;
    const clients = [new FaithfulClient(gateway, start), new FaithfulClient(gateway, start)];
    const running = clients.map((client) => client.run());
    const load = keepLedgerBusy(user);
    const faults = [
      () => kill('devnet', 0),
      () => kill('events', 0),
      () => kill('events', 1),
      () => system.control.disconnect(),
      () => Promise.resolve(clients[0]!.drop()),
    ];
    for (let round = 0; round < ROUNDS; round++) {
      await faults[round % faults.length]!();
      // The kill happens at a time that the ledger's progress decides.
      const seen = clients.map(({ received }) => received.length);
      const more = 3 + Math.floor(Math.random() * 40);
      await Promise.all(
        clients.map((client, index) =>
          client.until(() => client.received.length >= seen[index]! + more),
        ),
      );
    }
    await load.stop();
    const { digest } = await user.run((tx) => buildCar(tx, 'Last', user.address));
    const last = (await getEvents(gateway, { Transaction: digest })).data.at(-1)!.id;
    await Promise.all(
      clients.map((client) =>
        client.until(() => (client.received.at(-1)?.id.txSeq ?? 0) >= last.txSeq),
      ),
    );
    for (const client of clients) client.stop();
    await Promise.all(running);
    const expected = recordsAfter(await getAllEvents(gateway, 'All'), start);
    for (const { received, connections } of clients) {
      expect(received).toEqual(expected.slice(0, received.length));
      expect(connections).toBeGreaterThan(1);
    }
  });

  it('continues at the next node when one fails', async () => {
    const dead = 'http://127.0.0.1:9';
    const events = await startEvents({
      EVENTS_UPSTREAMS: `${dead},${system.nodeUrl},iota+${system.ledgerUrl}`,
      LEDGER_TIMEOUT_MS: '2000',
    });
    const start = (await getEvents(gateway, 'All', null, 1, true)).data[0]!.id;
    const client = new FaithfulClient(events.url, start);
    const running = client.run();
    for (let round = 0; round < 3; round++) {
      const seen = client.received.length;
      await user.run((tx) => buildCar(tx, 'Mini', user.address));
      await client.until(() => client.received.length > seen);
      await system.control.disconnect();
    }
    const { digest } = await user.run((tx) => buildCar(tx, 'Last', user.address));
    const last = (await getEvents(gateway, { Transaction: digest })).data.at(-1)!.id;
    await client.until(() => (client.received.at(-1)?.id.txSeq ?? 0) >= last.txSeq);
    client.stop();
    await running;
    const expected = recordsAfter(await getAllEvents(gateway, 'All'), start);
    expect(client.received).toEqual(expected.slice(0, client.received.length));
    await events.stop();
  });

  it('ends with a reason when the service shuts down', async () => {
    const events = await startEvents({ EVENTS_UPSTREAMS: system.ledgerUrl });
    const socket = await EventsSocket.open(events.url);
    const subscription = await socket.subscribe({ Module: 'm' });
    const stopped = events.stop();
    expect(await socket.next()).toMatchObject({
      method: 'ledger_subscribeEvent',
      params: {
        subscription,
        error: { code: -32011, message: expect.stringMatching(/shutting down/) },
      },
    });
    expect(await socket.closed).toMatchObject({ code: 1001 });
    await stopped;
  });
});

/** The most subscriptions of a connection. */
const PER_CONNECTION = 1_024;

describe('subscription limits', () => {
  it('bound the subscriptions of a connection and of a client, and its connections', async () => {
    const events = await startEvents({
      EVENTS_UPSTREAMS: system.ledgerUrl,
      // A lone client gets a sixteenth.
      EVENTS_MAX_SUBSCRIPTIONS: String(16 * (PER_CONNECTION + 2)),
      EVENTS_MAX_CONNECTIONS: '32',
    });
    const [first, second] = [
      await EventsSocket.open(events.url),
      await EventsSocket.open(events.url),
    ];
    const filter = { Module: 'm' };
    const subscribe = async (socket: EventsSocket) =>
      (await socket.call('ledger_subscribeEvent', [filter])).error?.code;
    for (let count = 0; count < PER_CONNECTION; count++) {
      expect(await subscribe(first)).toBeUndefined();
    }
    expect(await subscribe(first)).toBe(-32006);
    expect([await subscribe(second), await subscribe(second)]).toEqual([undefined, undefined]);
    expect(await subscribe(second)).toBe(-32006);
    await expect(EventsSocket.open(events.url)).rejects.toThrow(/connection refused/);
    first.close();
    await first.closed;
    await system.until(async () => (await subscribe(second)) === undefined);
    second.close();
    await events.stop();
  });
});
