import { beforeAll, describe, expect, it } from '@jest/globals';
import type { StoredEventRecord } from '@forecourt/contracts';
import { waitUntil } from '@forecourt/testing/system';
import { getAllEvents, getEvents } from '../support/events-client.js';
import { EventsSocket } from '../support/events-socket.js';
import { startEvents } from '../support/start-events.js';
import { untilIndexed } from '../support/use-indexed-events.js';
import { BOB, GARAGE, open, system, user } from '../support/systems/events-system.js';
import { legacy, UNREPORTED } from './legacy-events.js';
import { buildCar, driveCar, scrapCar } from '../support/ledger-user.js';

describe('ledger_subscribeEvent', () => {
  const drivenType = `${GARAGE}::garage::CarDriven`;
  const rows: [string, () => unknown, (kind: string, body: Record<string, unknown>) => boolean][] =
    [
      ['Package', () => ({ Package: '0xdec0' }), (_k, body) => body['packageId'] === GARAGE],
      [
        'Module',
        () => ({ Module: 'garage' }),
        (_k, body) => body['transactionModule'] === 'garage',
      ],
      [
        'MoveEventType',
        () => ({ MoveEventType: drivenType }),
        (_k, { type }) => type === drivenType,
      ],
      [
        'MoveEventField',
        () => ({ MoveEventField: { path: '/distance', value: 11 } }),
        (_k, { fields }) => (fields as { distance?: string } | undefined)?.distance === '11',
      ],
      [
        'SenderAddress',
        () => ({ SenderAddress: user.address }),
        (_k, body) => body['sender'] === user.address,
      ],
      ...['MoveEvent', 'Publish', 'TransferObject', 'DeleteObject', 'NewObject', 'EpochChange']
        .concat('Checkpoint')
        .map((kind): (typeof rows)[number] => [
          `EventType ${kind}`,
          () => ({ EventType: kind }),
          (one) => one.toLowerCase() === kind.toLowerCase(),
        ]),
      ['ObjectId', () => ({ ObjectId: objects[0] }), (_k, { objectId }) => objectId === objects[0]],
      [
        'And',
        () => ({ And: [{ EventType: 'NewObject' }, { SenderAddress: user.address }] }),
        (kind, body) => kind === 'newObject' && body['sender'] === user.address,
      ],
      [
        'Or',
        () => ({ Or: [{ EventType: 'Publish' }, { EventType: 'EpochChange' }] }),
        (kind) => kind === 'publish' || kind === 'epochChange',
      ],
      [
        'All',
        () => ({
          All: [{ Package: GARAGE }, { Module: 'garage' }, { EventType: 'DeleteObject' }],
        }),
        (kind, body) => kind === 'deleteObject' && body['packageId'] === GARAGE,
      ],
      [
        'Any, nested',
        () => ({
          Any: [
            { And: [{ Module: 'native' }, { EventType: 'TransferObject' }] },
            { Any: [{ EventType: 'EpochChange' }] },
          ],
        }),
        (kind, body) =>
          kind === 'epochChange' ||
          (kind === 'transferObject' && body['transactionModule'] === 'native'),
      ],
    ];
  const objects: string[] = [];
  const live = new Map<string, StoredEventRecord[]>();
  let gateway: string;
  let before: StoredEventRecord;
  let after: StoredEventRecord[];

  beforeAll(async () => {
    gateway = system.application.url;
    const { created, digest } = await user.run((tx) => {
      for (const model of ['Mini', 'Beetle']) buildCar(tx, model, user.address);
    });
    objects.push(...created);
    // Queries of an index are a moment behind the subscriptions.
    const isShown = async () => (await getEvents(gateway, { Transaction: digest })).data.length > 0;
    await waitUntil(isShown, { what: 'the events of the cars' });
    before = (await getEvents(gateway, 'All', null, 1, true)).data[0]!;
    const sockets = await Promise.all(
      rows.flatMap(([name, filter]) =>
        [gateway, legacy.url].map(async (url) => {
          const socket = await EventsSocket.open(url);
          const id = await socket.subscribe({ Or: [filter(), { EventType: 'EpochChange' }] });
          return { name: `${name} at ${url}`, socket, id };
        }),
      ),
    );
    await user.run((tx) => driveCar(tx, objects[0]!, 11));
    await user.run((tx) => driveCar(tx, objects[1]!, 12));
    await user.run((tx) => void tx.transferObjects([tx.object(objects[0]!)], BOB));
    await user.run((tx) => scrapCar(tx, objects[1]!));
    await user.run((tx) => buildCar(tx, 'Polo', BOB));
    await user.run((tx) => {
      const modules = [[...emptyModule]];
      tx.transferObjects([tx.publish({ modules, dependencies: ['0x1'] })], BOB);
    });
    // The last relevant event, which ends the wait of every subscription.
    await system.control.advanceEpoch();
    for (const { name, socket, id } of sockets) {
      const received: StoredEventRecord[] = [];
      do {
        const message = await socket.next();
        if (message === null) throw new Error(`${name}: the connection was closed`);
        expect(message).toEqual({
          jsonrpc: '2.0',
          method: 'ledger_subscribeEvent',
          params: { subscription: id, result: expect.anything() },
        });
        received.push(message.params!.result!);
      } while (!('epochChange' in received.at(-1)!.event));
      live.set(name, received);
      socket.close();
    }
    await untilIndexed(gateway, [...live.values()][0]!.at(-1)!);
    const cursorBefore = (await getEvents(gateway, 'All', null, 1_000, true)).data.findIndex(
      ({ id }) => id.txSeq === before.id.txSeq && id.eventSeq === before.id.eventSeq,
    );
    after = (await getAllEvents(gateway, 'All')).slice(-cursorBefore);
  });

  it.each(rows)('delivers by %s the results of a later query, in order', (name, _f, wanted) => {
    const upToEpoch = after.slice(0, after.findIndex(({ event }) => 'epochChange' in event) + 1);
    const expected = upToEpoch.filter((record) => {
      const [kind, body] = open(record);
      return wanted(kind, body) || kind === 'epochChange';
    });
    const isLaterThanEpoch = /Checkpoint/.test(name);
    expect(expected.length).toBeGreaterThan(isLaterThanEpoch || name.includes('Epoch') ? 0 : 1);
    for (const url of [gateway, legacy.url]) {
      expect(live.get(`${name} at ${url}`)).toEqual(expected);
    }
  });

  it('subscribes at no node that speaks both dialects, whose checkpoints it reads', async () => {
    const subscribed = () => system.control.requestsOf('ledger_subscribeEvent');
    const before = await subscribed();
    const events = await startEvents({ EVENTS_UPSTREAMS: system.ledgerUrl });
    const socket = await EventsSocket.open(events.url);
    await socket.subscribe({ SenderAddress: user.address });
    await user.run((tx) => buildCar(tx, 'Mini', user.address));
    expect(await socket.records(1)).toHaveLength(1);
    expect(await subscribed()).toBe(before);
    socket.close();
    await events.stop();
  });

  it('ends under an alias with what nodes of the legacy dialect do not report', async () => {
    const socket = await EventsSocket.open(legacy.url);
    await socket.call('sui_subscribeEvent', [{ EventType: 'NewObject' }]);
    await user.run((tx) => buildCar(tx, 'Mini', user.address));
    const error = (await socket.next())?.params?.error;
    expect(error?.code).toBe(UNREPORTED.code);
    expect(error?.message).toMatch(UNREPORTED.message);
    socket.close();
  });
});

/** The smallest bytes that contain a module's name, `m`. */
const emptyModule = Uint8Array.of(
  0xa1,
  0x1c,
  0xeb,
  0x0b,
  6,
  0,
  0,
  0,
  2,
  0x1,
  0,
  2,
  0x7,
  2,
  2,
  0,
  0,
  1,
  'm'.charCodeAt(0),
  0,
);
