import { beforeAll, describe, expect, it } from '@jest/globals';
import type { StoredEventRecord } from '@forecourt/contracts';
import { EventsSocket, getAllEvents, getEvents } from './events-client.js';
import { buildCar, driveCar, scrapCar } from './ledger-user.js';
import { useSystem } from './use-system.js';
import { useEvents, useLedgerUser } from './use-events.js';

const BOB = `0x${'b0b'.padStart(64, '0')}`;
const GARAGE = `0x${'dec0'.padStart(64, '0')}`;

const system = useSystem({
  events: 1,
  env: { POOL_TARGET_COINS: '10', POOL_MIN_COINS: '5' },
});
const user = useLedgerUser(system);
const iota = useEvents(() => ({ EVENTS_UPSTREAMS: `iota+${system.ledgerUrl}` }));
let gateway: string;
beforeAll(() => {
  gateway = system.application.url;
});

/** Kind, and what an event says of itself. */
function open({ event }: StoredEventRecord): [string, Record<string, unknown>] {
  return Object.entries(event)[0] as [string, Record<string, unknown>];
}

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
  let before: StoredEventRecord;
  let after: StoredEventRecord[];

  beforeAll(async () => {
    objects.push(
      ...(
        await user.run((tx) => {
          for (const model of ['Mini', 'Beetle']) buildCar(tx, model, user.address);
        })
      ).created,
    );
    before = (await getEvents(gateway, 'All', null, 1, true)).data[0]!;
    const sockets = await Promise.all(
      rows.flatMap(([name, filter]) =>
        [gateway, iota.url].map(async (url) => {
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
    // The last event that matters: it ends the wait of every subscription.
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
    const cursorBefore = (await getEvents(gateway, 'All', null, 1_000, true)).data.findIndex(
      ({ id }) => id.txSeq === before.id.txSeq && id.eventSeq === before.id.eventSeq,
    );
    after = (await getAllEvents(gateway, 'All')).slice(-cursorBefore);
  }, 60_000);

  it.each(rows)('delivers by %s what a query returns afterwards, in order', (name, _f, wanted) => {
    const upToEpoch = after.slice(0, after.findIndex(({ event }) => 'epochChange' in event) + 1);
    const expected = upToEpoch.filter((record) => {
      const [kind, body] = open(record);
      return wanted(kind, body) || kind === 'epochChange';
    });
    const isLaterThanEpoch = /Checkpoint/.test(name);
    expect(expected.length).toBeGreaterThan(isLaterThanEpoch || name.includes('Epoch') ? 0 : 1);
    for (const url of [gateway, iota.url]) {
      expect(live.get(`${name} at ${url}`)).toEqual(expected);
    }
  });

  it('resumes from a cursor or an event id without gaps or duplicates, then continues live', async () => {
    const page = await getEvents(gateway, { Sender: user.address }, null, 3);
    const all = await getAllEvents(gateway, { Sender: user.address });
    const filter = { SenderAddress: user.address };
    for (const [resume, seen] of [
      [page.nextCursor, 3],
      [page.data[2]!.id, 3],
      [0, 0],
    ] as const) {
      for (const url of [gateway, iota.url]) {
        const socket = await EventsSocket.open(url);
        await socket.subscribe(filter, resume);
        expect(await socket.records(all.length - seen)).toEqual(all.slice(seen));
        socket.close();
      }
    }
    const socket = await EventsSocket.open(gateway);
    await socket.subscribe(filter, all.at(-1)!.id);
    await user.run((tx) => buildCar(tx, 'Golf', BOB));
    const live = await socket.records(2);
    expect(live.map((record) => open(record)[0])).toEqual(['moveEvent', 'newObject']);
    socket.close();
  });

  it('numbers subscriptions per connection and unsubscribes only those of the same connection', async () => {
    const [first, second] = [await EventsSocket.open(gateway), await EventsSocket.open(gateway)];
    const checkpoints = { EventType: 'Checkpoint' };
    const ids = [await first.subscribe(checkpoints), await first.subscribe(checkpoints)];
    expect(new Set(ids).size).toBe(2);
    const unsubscribe = (socket: EventsSocket, id: number) =>
      socket.call('ledger_unsubscribeEvent', [id]).then(({ result }) => result);
    expect(await unsubscribe(second, ids[1]!)).toBe(false);
    expect(await unsubscribe(first, ids[0]!)).toBe(true);
    expect(await unsubscribe(first, ids[0]!)).toBe(false);
    await user.run((tx) => buildCar(tx, 'Golf', BOB));
    expect((await first.next())?.params?.subscription).toBe(ids[1]);
    for (const socket of [first, second]) socket.close();
  });

  it.each<[string, unknown[], RegExp]>([
    ['no filter', [], /1 to 2/],
    ['an unknown filter', [{ Colour: 1 }], /position 1 \(filter\)/],
    ['two keys', [{ Module: 'm', Package: '0x1' }], /exactly one key/],
    ['And of one', [{ And: [{ Module: 'm' }] }], /filter\)\.And must be .*exactly two.*got 1/],
    ['Any of none', [{ Any: [] }], /one or more/],
    ['a wrong part', [{ Any: [{ Module: 'm' }, { Package: 'x' }] }], /Any\[1\]\.Package/],
    ['a path without a slash', [{ MoveEventField: { path: 'a', value: 1 } }], /path/],
    ['an inexact number', [{ MoveEventField: { path: '/a', value: 2 ** 60 } }], /string/],
    ['a wrong cursor', [{ Module: 'm' }, 'x'], /position 2/],
    ['too deep nesting', [nested(17)], /16 levels/],
    ['too many parts', [{ Any: Array.from({ length: 1_001 }, () => ({ Module: 'm' })) }], /1000/],
  ])('refuses %s', async (_name, params, message) => {
    const socket = await EventsSocket.open(gateway);
    const { error } = await socket.call('ledger_subscribeEvent', params);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toMatch(message);
    expect(await socket.subscribe(nested(16))).toBe(1);
    socket.close();
  });

  it('closes a connection that sends binary frames, with a reason', async () => {
    const socket = await EventsSocket.open(gateway);
    socket.send(Uint8Array.of(1, 2, 3));
    expect(await socket.closed).toMatchObject({
      code: 1003,
      reason: expect.stringMatching(/text/),
    });
  });

  it('closes a connection that sends too large a message', async () => {
    const socket = await EventsSocket.open(gateway);
    socket.send(`"${'x'.repeat(1_100_000)}"`);
    expect(await socket.closed).toMatchObject({ code: 1009 });
  });

  it('responds to invalid JSON with an error and continues', async () => {
    const socket = await EventsSocket.open(gateway);
    socket.send('{');
    expect(await socket.next()).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await socket.subscribe({ Module: 'm' })).toBe(1);
    socket.close();
  });
});

/** `levels` levels in all. */
function nested(levels: number): unknown {
  let filter: unknown = { EventType: 'Publish' };
  for (let level = 1; level < levels; level++) filter = { All: [filter] };
  return filter;
}

/** The smallest bytes that carry a module's name, `m`. */
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
