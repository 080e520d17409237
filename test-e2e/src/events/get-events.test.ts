import { beforeAll, describe, expect, it } from '@jest/globals';
import { fromBase58, toBase64 } from '@iota/iota-sdk/utils';
import type { StoredEventRecord } from '@forecourt/contracts';
import { getAllEvents, getEvents, postRpc } from '../support/events-client.js';
import { BOB, GARAGE, open, system, user } from '../support/systems/events-system.js';
import { startEvents } from '../support/start-events.js';
import { untilIndexed } from '../support/use-indexed-events.js';
import { indexed } from './indexed-events.js';
import { legacy, UNREPORTED } from './legacy-events.js';
import { buildCar, driveCar, scrapCar } from '../support/ledger-user.js';

/** The events of its checkpoint are not the transaction's own. */
const isOf = (record: StoredEventRecord, digest: string) =>
  record.txDigest === digest && !['checkpoint', 'epochChange'].includes(open(record)[0]);
const inOrder = ({ id }: StoredEventRecord) => id.txSeq * 1e6 + id.eventSeq;

describe('ledger_getEvents', () => {
  let gateway: string;
  let everything: StoredEventRecord[];
  let driven: string;
  let car: string;

  beforeAll(async () => {
    gateway = system.application.url;
    const built = await user.run((tx) => {
      for (const model of ['Mini', 'Beetle']) buildCar(tx, model, user.address);
    });
    const cars = built.created;
    car = cars[0]!;
    driven = (await user.run((tx) => driveCar(tx, car, 7))).digest;
    await user.run((tx) => void tx.transferObjects([tx.object(car)], BOB));
    await user.run((tx) => scrapCar(tx, cars[1]!));
    await user.run((tx) => void tx.transferObjects([tx.splitCoins(tx.gas, [5])], BOB));
    await system.control.advanceEpoch();
    everything = await getAllEvents(gateway, 'All');
    await untilIndexed(indexed.url, everything.at(-1)!);
  });

  it('returns every event of the ledger, of every kind, in ledger order', () => {
    const kinds = new Set(everything.map((record) => open(record)[0]));
    expect([...kinds].sort()).toEqual([
      'checkpoint',
      'deleteObject',
      'epochChange',
      'moveEvent',
      'newObject',
      'publish',
      'transferObject',
    ]);
    expect(everything).toEqual(everything.toSorted((a, b) => inOrder(a) - inOrder(b)));
    const checkpoints = everything.flatMap(({ event }) =>
      'checkpoint' in event ? [event.checkpoint] : [],
    );
    expect(checkpoints).toEqual(checkpoints.map((_checkpoint, index) => index));
    expect(new Set(everything.map(inOrder)).size).toBe(everything.length);
    for (const record of everything) {
      expect(Object.keys(record).sort()).toEqual(['event', 'id', 'timestamp', 'txDigest']);
      expect(Buffer.from(record.txDigest, 'base64')).toHaveLength(32);
    }
  });

  const rows: [string, () => unknown, (record: StoredEventRecord) => boolean][] = [
    ['All', () => 'All', () => true],
    ['All as an object', () => ({ All: [] }), () => true],
    [
      'Transaction, in base58',
      () => ({ Transaction: driven }),
      (record) => isOf(record, toBase64(fromBase58(driven))),
    ],
    [
      'Transaction, in base64',
      () => ({ Transaction: everything.find(isDriven)!.txDigest }),
      (record) => isOf(record, everything.find(isDriven)!.txDigest),
    ],
    [
      'MoveModule',
      () => ({ MoveModule: { package: '0xdec0', module: 'garage' } }),
      (record) => {
        const [, { packageId, transactionModule }] = open(record);
        return packageId === GARAGE && transactionModule === 'garage';
      },
    ],
    ['MoveEvent', () => ({ MoveEvent: '0xDEC0::garage::CarDriven' }), (record) => isDriven(record)],
    ...['MoveEvent', 'Publish', 'TransferObject', 'DeleteObject', 'NewObject', 'EpochChange']
      .concat('Checkpoint')
      .map((kind): (typeof rows)[number] => [
        `EventType ${kind}`,
        () => ({ EventType: kind }),
        (record) => open(record)[0].toLowerCase() === kind.toLowerCase(),
      ]),
    [
      'EventType, nested once more',
      () => ({ EventType: { EventType: 'NewObject' } }),
      (record) => open(record)[0] === 'newObject',
    ],
    [
      'Sender',
      () => ({ Sender: user.address }),
      (record) => open(record)[1]['sender'] === user.address,
    ],
    [
      'Recipient, an address',
      () => ({ Recipient: { AddressOwner: '0xb0b' } }),
      (record) => ownerOf(record) === JSON.stringify({ AddressOwner: BOB }),
    ],
    [
      'Recipient, shared',
      () => ({ Recipient: { Shared: { initial_shared_version: 1 } } }),
      (record) => ownerOf(record) === JSON.stringify({ Shared: { initial_shared_version: 1 } }),
    ],
    ['Object', () => ({ Object: car }), (record) => open(record)[1]['objectId'] === car],
    [
      'TimeRange',
      () => ({ TimeRange: middle() }),
      ({ timestamp }) => timestamp >= middle().startTime && timestamp <= middle().endTime,
    ],
  ];
  const isDriven = (record: StoredEventRecord) =>
    String(open(record)[1]['type']).endsWith('::CarDriven');
  const ownerOf = (record: StoredEventRecord) => JSON.stringify(open(record)[1]['recipient']);
  const middle = () => ({
    startTime: everything.find(isDriven)!.timestamp,
    endTime: everything.at(-3)!.timestamp,
  });

  it.each(rows)(
    'returns events by %s in both orders and with any page size, from the legacy dialect',
    async (_name, criterion, wanted) => {
      const expected = everything.filter(wanted);
      expect(expected.length).toBeGreaterThan(0);
      for (const limit of [1, 3, 1_000]) {
        if (limit === 1 && expected.length > 30) continue;
        expect(await getAllEvents(legacy.url, criterion(), limit)).toEqual(expected);
        const reversed = await getAllEvents(legacy.url, criterion(), limit, true);
        expect(reversed).toEqual(expected.toReversed());
      }
    },
  );

  describe.each([
    ['a node', () => gateway],
    ['an index', () => indexed.url],
  ])('from %s', (_source, urlOf) => {
    it.each(rows)('returns the same events by %s', async (_name, criterion, wanted) => {
      const expected = everything.filter(wanted);
      for (const [limit, ordering] of [
        [4, 'Ascending'],
        [4, 'Descending'],
        [1_000, null],
      ]) {
        const found = await getAllEvents(urlOf(), criterion(), limit as number, ordering);
        expect(found).toEqual(ordering === 'Descending' ? expected.toReversed() : expected);
      }
    });
  });

  it('reads a node that speaks both dialects in IOTA’s', async () => {
    const events = await startEvents({ EVENTS_UPSTREAMS: system.ledgerUrl });
    const response = await fetch(`${events.url}/health/dependencies`);
    expect(await response.json()).toMatchObject({
      details: { upstream: { upstream: expect.stringMatching(/^iota /) } },
    });
    const newest = await getEvents(events.url, 'All', null, 1, true);
    expect(newest).toEqual(await getEvents(legacy.url, 'All', null, 1, true));
    await events.stop();
  });

  it('refuses under an alias what nodes of the legacy dialect do not report, with this reason', async () => {
    const body = { ...request('sui_getEvents', { EventType: 'NewObject' }) };
    const { error } = (await postRpc(legacy.url, body)).body;
    expect(error?.code).toBe(UNREPORTED.code);
    expect(error?.message).toMatch(UNREPORTED.message);
  });

  it('returns at most the requested number of items, 100 by default', async () => {
    expect((await getEvents(gateway, 'All', null, 2)).data).toHaveLength(2);
    const usual = await getEvents(gateway, 'All');
    expect(usual.data).toEqual(everything.slice(0, 100));
    expect(usual.nextCursor === null).toBe(everything.length <= 100);
  });

  it('responds to batches, echoes ids and does not respond to notifications', async () => {
    const call = (id: unknown) => ({
      jsonrpc: '2.0',
      id,
      method: 'ledger_getEvents',
      params: ['All', null, 1],
    });
    const notification = { jsonrpc: '2.0', method: 'ledger_getEvents', params: ['All', null, 1] };
    const { body } = await postRpc(gateway, [call('a'), notification, call(7)]);
    expect((body as unknown as { id: unknown }[]).map(({ id }) => id)).toEqual(['a', 7]);
    expect(await postRpc(gateway, notification)).toEqual({ status: 204, body: {} });
  });

  it.each<[string, unknown, number, RegExp]>([
    ['not JSON', '{"jsonrpc":', -32700, /JSON/],
    ['not a request', '7', -32600, /object/],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ledger_getEvents' }, -32600, /2\.0/],
    ['an unknown method', request('ledger_getEverything'), -32601, /not found/],
    ['an alias that is not configured', request('iota_getEvents', 'All'), -32601, /not found/],
    [
      'params by name',
      { ...request('x'), method: 'ledger_getEvents', params: {} },
      -32602,
      /array/,
    ],
    ['no params', request('ledger_getEvents'), -32602, /1 to 4/],
    ['too many params', request('ledger_getEvents', 'All', null, 1, true, 5), -32602, /1 to 4/],
    ['an unknown criterion', request('ledger_getEvents', { Colour: 1 }), -32602, /position 1/],
    ['two criteria', request('ledger_getEvents', { All: [], Sender: '0x1' }), -32602, /one key/],
    ['an unknown kind', request('ledger_getEvents', { EventType: 'New' }), -32602, /EventType/],
    ['a wrong cursor', request('ledger_getEvents', 'All', 'x'), -32602, /position 2/],
    ['a limit of 0', request('ledger_getEvents', 'All', null, 0), -32602, /position 3/],
    ['a limit of 1001', request('ledger_getEvents', 'All', null, 1_001), -32602, /position 3/],
    ['a wrong ordering', request('ledger_getEvents', 'All', null, 1, 'Up'), -32602, /position 4/],
    ['subscribing by POST', request('ledger_subscribeEvent', { Module: 'm' }), -32600, /WebSocket/],
    [
      'absurd nesting',
      `{"jsonrpc":"2.0","id":1,"method":"ledger_getEvents","params":[${'['.repeat(50_000)}${']'.repeat(50_000)}]}`,
      -32600,
      /nested more than 512 levels/,
    ],
    ['a huge batch', Array.from({ length: 51 }, () => request('x')), -32600, /batch of 51/],
  ])('refuses %s', async (_name, body, code, message) => {
    const answer = await postRpc(gateway, body);
    expect(answer.body.error?.code).toBe(code);
    expect(answer.body.error?.message).toMatch(message);
    expect((await getEvents(gateway, 'All', null, 1)).data).toHaveLength(1);
  });

  it('refuses a body beyond the limit', async () => {
    const { status, body } = await postRpc(gateway, `"${'x'.repeat(1_100_000)}"`);
    expect([status, body.error?.code]).toEqual([413, -32701]);
  });
});

function request(method: string, ...params: unknown[]) {
  return { jsonrpc: '2.0', id: 1, method, params };
}
