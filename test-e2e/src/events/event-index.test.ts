import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventKinds, type StoredEventRecord } from '@forecourt/contracts';
import { publishPackage } from '../attacks/attacker.js';
import { getAllEvents, getEvents } from '../support/events-client.js';
import { EventsSocket } from '../support/events-socket.js';
import { buildCar, driveCar, scrapCar } from '../support/ledger-user.js';
import { BOB, system, user } from '../support/systems/events-system.js';
import { untilIndexed, useIndexedEvents } from '../support/use-indexed-events.js';

const EVERYTHING = { Any: eventKinds.map((kind) => ({ EventType: kind })) };

const indexed = useIndexedEvents(() => system.ledgerUrl);

describe('an index of events', () => {
  let everything: StoredEventRecord[];
  let car: string;
  let published: StoredEventRecord[];

  beforeAll(async () => {
    const built = await user.run((tx) => buildCar(tx, 'Mini', user.address));
    car = built.created[0]!;
    await user.run((tx) => driveCar(tx, car, 7));
    await user.run((tx) => void tx.transferObjects([tx.splitCoins(tx.gas, [5])], BOB));
    await user.run((tx) => scrapCar(tx, car));
    await user.run((tx) => publishPackage(tx, user.address));
    await system.control.advanceEpoch();
    everything = await getAllEvents(system.application.url, 'All', 1_000);
    published = everything.filter(({ event }) => 'publish' in event);
    await untilIndexed(indexed.url, everything.at(-1)!);
  });

  it('holds the events, ids and cursors of other sources', async () => {
    const found = await getAllEvents(indexed.url, 'All', 1_000);
    expect(found.slice(0, everything.length)).toEqual(everything);
    for (const descending of [false, true]) {
      const cursor = everything.at(-20)!.id;
      const position = cursor.txSeq * 16_384 + cursor.eventSeq;
      const [page, other] = await Promise.all(
        [indexed.url, system.application.url].map((url) =>
          getEvents(url, 'All', position, 5, descending),
        ),
      );
      expect(page).toEqual(other);
    }
  });

  it.each<[string, () => unknown, number?]>([
    ['Transaction', () => ({ Transaction: published[0]!.txDigest })],
    // Without an index, objects of transactions without a call, such as genesis, are found only while they
    // are recent.
    ['MoveModule', () => ({ MoveModule: { package: '0xdec0', module: 'garage' } }), 1],
    ['MoveEvent', () => ({ MoveEvent: '0xdec0::garage::CarDriven' })],
    ['EventType', () => ({ EventType: 'DeleteObject' })],
    ['Sender', () => ({ Sender: user.address })],
    ['Recipient', () => ({ Recipient: { AddressOwner: BOB } })],
    ['Object', () => ({ Object: car })],
    [
      'TimeRange',
      () => ({
        TimeRange: {
          startTime: everything.at(-30)!.timestamp,
          endTime: everything.at(-5)!.timestamp,
        },
      }),
    ],
  ])('answers a query by %s in both orders', async (_name, criterion, since = 0) => {
    for (const order of [null, 'Descending']) {
      const [found, expected] = await Promise.all(
        [indexed.url, system.application.url].map(async (url) => {
          const events = await getAllEvents(url, criterion(), 10, order);
          return events.filter(({ id }) => id.txSeq >= since);
        }),
      );
      expect(expected!.length).toBeGreaterThan(0);
      expect(found).toEqual(expected);
    }
  });

  it('reports its extent, and that nothing is missing', async () => {
    const response = await fetch(`${indexed.url}/health/dependencies`);
    const { details } = (await response.json()) as { details: { index: object } };
    expect(details.index).toMatchObject({
      status: 'up',
      firstCheckpoint: 0,
      lastCheckpoint: expect.any(Number),
      missing: {},
      isWriter: true,
      otherLedger: false,
    });
  });

  it('replays to a subscriber, who then receives live events', async () => {
    const socket = await EventsSocket.open(indexed.url);
    await socket.subscribe(EVERYTHING, 0);
    const { digest } = await user.run((tx) => buildCar(tx, 'Beetle', user.address));
    await user.run((tx) => buildCar(tx, 'Beetle', user.address));
    const expected = await getAllEvents(system.application.url, 'All', 1_000);
    expect(digest).not.toBe('');
    expect(await socket.records(expected.length)).toEqual(expected);
    socket.close();
  });
});
