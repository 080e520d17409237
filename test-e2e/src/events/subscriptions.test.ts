import { beforeAll, describe, expect, it } from '@jest/globals';
import { getAllEvents, getEvents } from '../support/events-client.js';
import { EventsSocket } from '../support/events-socket.js';
import { BOB, open, system, user } from '../support/systems/events-system.js';
import { buildCar } from '../support/ledger-user.js';

describe('subscription', () => {
  let gateway: string;
  beforeAll(async () => {
    gateway = system.application.url;
    for (let cars = 0; cars < 3; cars++) await user.run((tx) => buildCar(tx, 'Mini', BOB));
    await system.until(async () => {
      return (await getAllEvents(gateway, { Sender: user.address })).length >= 2 * 3;
    });
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
      const socket = await EventsSocket.open(gateway);
      await socket.subscribe(filter, resume);
      expect(await socket.records(all.length - seen)).toEqual(all.slice(seen));
      socket.close();
    }
    const socket = await EventsSocket.open(gateway);
    await socket.subscribe(filter, all.at(-1)!.id);
    await user.run((tx) => buildCar(tx, 'Golf', BOB));
    const live = await socket.records(2);
    expect(live.map((record) => open(record)[0])).toEqual(['moveEvent', 'newObject']);
    socket.close();
  });

  it('is refused from a position that the ledger does not have, as a query is', async () => {
    const [newest] = (await getEvents(gateway, 'All', null, 1, true)).data;
    const { id, txDigest } = newest!;
    const other = `${txDigest[0] === 'A' ? 'B' : 'A'}${txDigest.slice(1)}`;
    const ahead = { txSeq: id.txSeq + 1_000, eventSeq: 0 };
    const socket = await EventsSocket.open(gateway);
    for (const [position, reason] of [
      [ahead, /resume\) is ahead of the ledger/],
      [ahead.txSeq * 2 ** 14, /resume\) is ahead of the ledger/],
      [{ ...id, txDigest: other }, /resume\) is of another ledger/],
      [`${id.txSeq}.${id.eventSeq}-${other.slice(0, 12)}`, /resume\) is of another ledger/],
    ] as const) {
      const params = [{ SenderAddress: user.address }, position];
      const { error } = await socket.call('ledger_subscribeEvent', params);
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(reason) });
      const inQuery = new RegExp(reason.source.replace('resume', 'cursor'));
      await expect(getEvents(gateway, 'All', position)).rejects.toThrow(inQuery);
    }
    await socket.subscribe({ SenderAddress: user.address }, { ...id, txDigest });
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

/** Nests filters to `levels` levels. */
function nested(levels: number): unknown {
  let filter: unknown = { EventType: 'Publish' };
  for (let level = 1; level < levels; level++) filter = { All: [filter] };
  return filter;
}
