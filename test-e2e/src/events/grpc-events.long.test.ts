import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventKinds, type StoredEventRecord } from '@forecourt/contracts';
import { publishPackage } from '../attacks/attacker.js';
import { getAllEvents, getEvents } from '../support/events-client.js';
import { EventsSocket } from '../support/events-socket.js';
import { buildCar, driveCar, scrapCar } from '../support/ledger-user.js';
import { system } from '../support/systems/grpc-system.js';
import { nodeAlone, useEvents, useLedgerUser } from '../support/use-events.js';
import { untilIndexed, useIndexedEvents } from '../support/use-indexed-events.js';

const BOB = `0x${'b0b'.padStart(64, '0')}`;
const EVERYTHING = { Any: eventKinds.map((kind) => ({ EventType: kind })) };
const SUBSCRIBERS = 5;

const user = useLedgerUser(system);
const iota = useEvents(() => nodeAlone(system));
const indexed = useIndexedEvents(() => system.nodeUrl);
const build = () => user.run((tx) => buildCar(tx, 'Mini', user.address));

describe('events over gRPC', () => {
  let gateway: string;
  let everything: StoredEventRecord[];
  beforeAll(async () => {
    gateway = system.application.url;
    const { created } = await user.run((tx) => {
      for (const model of ['Mini', 'Beetle']) buildCar(tx, model, user.address);
    });
    await user.run((tx) => driveCar(tx, created[0]!, 7));
    await user.run((tx) => void tx.transferObjects([tx.object(created[0]!)], BOB));
    await user.run((tx) => scrapCar(tx, created[1]!));
    await user.run((tx) => publishPackage(tx, user.address));
    await system.control.advanceEpoch();
    await build();
    everything = await getAllEvents(iota.url, 'All');
  });

  it('have the ids and contents of those over JSON-RPC, in all seven kinds', async () => {
    const kinds = new Set(everything.flatMap(({ event }) => Object.keys(event)));
    expect(kinds.size).toBe(7);
    const overGrpc = await getAllEvents(gateway, 'All');
    expect(overGrpc.slice(0, everything.length)).toEqual(everything);
  });

  it.each<[string, () => unknown]>([
    ['Sender', () => ({ Sender: user.address })],
    ['MoveEvent', () => ({ MoveEvent: '0xdec0::garage::CarBuilt' })],
    ['EventType', () => ({ EventType: 'EpochChange' })],
  ])(
    'answer a query by %s like the other dialect, in both directions',
    async (_name, criterion) => {
      for (const order of [null, 'Descending']) {
        const [grpc, json] = [
          await getAllEvents(gateway, criterion(), 50, order),
          await getAllEvents(iota.url, criterion(), 50, order),
        ];
        expect(grpc.length).toBeGreaterThan(0);
        expect(grpc).toEqual(json);
      }
    },
  );

  it('are found in an index by criteria that such a node cannot answer', async () => {
    await untilIndexed(indexed.url, everything.at(-1)!);
    for (const criterion of [
      'All',
      { EventType: 'Publish' },
      { EventType: 'NewObject' },
      { Recipient: { AddressOwner: BOB } },
    ]) {
      for (const order of [null, 'Descending']) {
        const [found, expected] = await Promise.all(
          [indexed.url, iota.url].map((url) => getAllEvents(url, criterion, 50, order)),
        );
        expect(found!.length).toBeGreaterThan(0);
        expect(found).toEqual(expected);
      }
    }
  });

  it('reach all subscribers from one stream, without a call per transaction', async () => {
    const sockets = await Promise.all(
      Array.from({ length: SUBSCRIBERS }, () => EventsSocket.open(gateway)),
    );
    for (const socket of sockets) await socket.subscribe(EVERYTHING);
    await build();
    const first = await Promise.all(sockets.map((socket) => socket.records(1)));
    const counted = ['StreamCheckpoints', 'iota_getCheckpoint', 'iota_getTransactionBlock'];
    const count = () => Promise.all(counted.map((name) => system.control.requestsOf(name)));
    const before = await count();
    let digest = '';
    for (let built = 0; built < 20; built++) ({ digest } = await build());
    const last = (await getEvents(iota.url, { Transaction: digest })).data.at(-1)!;
    const seen = await Promise.all(
      sockets.map(async (socket, index) => {
        const records = [...first[index]!];
        while (records.at(-1)!.id.txSeq < last.id.txSeq) records.push(...(await socket.records(1)));
        return records;
      }),
    );
    expect(new Set(seen.map((records) => JSON.stringify(records[0])))).toHaveProperty('size', 1);
    for (const records of seen) {
      expect(records.at(-1)!.id.txSeq).toBe(last.id.txSeq);
      expect(new Set(records.map(({ id }) => `${id.txSeq}:${id.eventSeq}`)).size).toBe(
        records.length,
      );
    }
    // The query over JSON-RPC reads a few itself, and none per transaction.
    const [streams, checkpoints, transactions] = (await count()).map(
      (now, index) => now - before[index]!,
    );
    expect(streams).toBe(0);
    expect(checkpoints).toBeLessThan(5);
    expect(transactions).toBeLessThan(5);
    for (const socket of sockets) socket.close();
  });

  it('match a filter by fields, which streams do not carry', async () => {
    const { created } = await build();
    const socket = await EventsSocket.open(gateway);
    await socket.subscribe({ MoveEventField: { path: '/distance', value: '41' } });
    for (const distance of [40, 41]) await user.run((tx) => driveCar(tx, created[0]!, distance));
    const [record] = await socket.records(1);
    expect(record!.event).toMatchObject({
      moveEvent: { fields: { driver: user.address, distance: '41', mileage: '81' } },
    });
    socket.close();
  });

  it('resume where a lost connection left them', async () => {
    const socket = await EventsSocket.open(gateway);
    await socket.subscribe(EVERYTHING);
    const digests: string[] = [];
    for (let round = 0; round < 3; round++) {
      digests.push((await build()).digest);
      await system.control.disconnect();
      digests.push((await build()).digest);
    }
    const last = (await getEvents(iota.url, { Transaction: digests.at(-1)! })).data.at(-1)!;
    const records = await socket.records(1);
    while (records.at(-1)!.id.txSeq < last.id.txSeq) records.push(...(await socket.records(1)));
    const all = await getAllEvents(iota.url, 'All');
    const first = all.findIndex(({ id }) => JSON.stringify(id) === JSON.stringify(records[0]!.id));
    expect(records).toEqual(all.slice(first, first + records.length));
    socket.close();
  });
});
