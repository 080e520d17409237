import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import { type EventPage, getEvents, postRpc } from '../support/events-client.js';
import { EventsSocket } from '../support/events-socket.js';
import { BOB, system, user } from '../support/systems/events-system.js';
import { buildCar, scrapCar } from '../support/ledger-user.js';

interface Described {
  readonly name: string;
  readonly schema: object;
  readonly required?: boolean;
}
interface Document {
  readonly methods: readonly {
    readonly name: string;
    readonly params: readonly Described[];
    readonly result: Described;
    readonly examples: readonly {
      readonly params: readonly { readonly name: string; readonly value: unknown }[];
      readonly result: { readonly name: string; readonly value: unknown };
    }[];
    readonly errors: readonly { readonly code: number; readonly message: string }[];
  }[];
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const ajv = new Ajv({ strict: false, allErrors: true });
let document: Document;
let gateway: string;

const method = (name: string) => document.methods.find((one) => one.name === `ledger_${name}`)!;

function validatorOf({ schema }: Described): ValidateFunction {
  const placed = JSON.stringify(schema).replaceAll('"#/components', '"openrpc#/components');
  return ajv.compile(JSON.parse(placed) as object);
}

function faultsOf(described: Described, value: unknown): unknown {
  const validate = validatorOf(described);
  return validate(value) ? [] : validate.errors;
}

/** Whether each given param satisfies its schema. */
function areDescribed(name: string, params: readonly unknown[]): boolean {
  const described = method(name).params;
  return (
    params.length <= described.length &&
    described.every((one, index) =>
      index < params.length ? validatorOf(one)(params[index]) : one.required !== true,
    )
  );
}

const INVALID_PARAMS = -32_602;
/** Of a document without references. */
const MOST_OBJECTS = 20_000;
const DIGEST = Buffer.alloc(32, 1).toString('base64');

const queries: [params: unknown[], isRight: boolean][] = [
  [['All'], true],
  [['All', null, null, null], true],
  [['All', 16_384, 1, 'Descending'], true],
  [['All', { txSeq: 0, eventSeq: 0 }], true],
  [['All', null, 1_000, false], true],
  [[{ All: [] }], true],
  [[{ Transaction: DIGEST }], true],
  [[{ MoveModule: { package: '0xdec0', module: 'garage' } }], true],
  [[{ MoveEvent: '0xDEC0::garage::CarDriven' }], true],
  [[{ MoveEvent: '0x2::m::S<u64,vector<0x2::n::T>>' }], true],
  [[{ EventType: 'NewObject' }], true],
  [[{ Sender: BOB }], true],
  [[{ Recipient: { AddressOwner: '0xb0b' } }], true],
  [[{ Recipient: { Shared: { initial_shared_version: 1 } } }], true],
  [[{ Recipient: 'Immutable' }], true],
  [[{ Object: '0x6' }], true],
  [[{ TimeRange: { startTime: 0, endTime: 1 } }], true],
  [[], false],
  [['all'], false],
  [[{}], false],
  [[{ All: [1] }], false],
  [[{ Sender: BOB, Object: BOB }], false],
  [[{ Sender: 'b0b' }], false],
  [[{ EventType: 'newObject' }], false],
  [[{ MoveEvent: '0x2::m' }], false],
  [[{ Recipient: BOB }], false],
  [[{ TimeRange: { startTime: '0', endTime: 1 } }], false],
  [[{ TimeRange: { start_time: 0, end_time: 1 } }], false],
  [['All', -1], false],
  [['All', '0'], false],
  [['All', { txSeq: 0 }], false],
  [['All', { txSeq: 0, eventSeq: 0, txDigest: 'x' }], false],
  [['All', null, 0], false],
  [['All', null, 1_001], false],
  [['All', null, 1, 'up'], false],
  [['All', null, 1, true, 'more'], false],
];

const leaf = { Module: 'garage' };
const subscriptions: [params: unknown[], isRight: boolean][] = [
  [[{ Package: '0xdec0' }], true],
  [[{ MoveEventType: '0xdec0::garage::CarDriven' }], true],
  [[{ MoveEventField: { path: '/a~1b/0', value: { any: 1 } } }], true],
  [[{ And: [leaf, { Or: [leaf, { SenderAddress: BOB }] }] }], true],
  [[{ Any: [{ All: [leaf] }, { ObjectId: BOB }, { EventType: 'Publish' }] }, null], true],
  [[leaf, { txSeq: 0, eventSeq: 0 }], true],
  [[leaf, 0], true],
  [['All'], false],
  [[{ All: [] }], false],
  [[{ And: [leaf] }], false],
  [[{ MoveEventField: { path: 'a', value: 1 } }], false],
  [[{ MoveEventField: { path: '/~2', value: 1 } }], false],
  [[{ Any: [leaf, { Module: '1' }] }], false],
  [[leaf, { txSeq: 0 }], false],
  [[leaf, '0'], false],
];

describe('rpc.discover', () => {
  beforeAll(async () => {
    gateway = system.application.url;
    const request = { jsonrpc: '2.0', id: 1, method: 'rpc.discover' };
    document = (await postRpc(gateway, request)).body.result as Document;
    ajv.addSchema(document, 'openrpc');
    const { created } = await user.run((tx) => {
      for (const model of ['Mini', 'Beetle']) buildCar(tx, model, user.address);
    });
    await user.run((tx) => scrapCar(tx, created[0]!));
    await user.run((tx) => void tx.transferObjects([tx.object(created[1]!)], BOB));
    await system.control.advanceEpoch();
  });

  it('has a schema for each param and result, none of which accepts everything', () => {
    const described = document.methods.flatMap(({ params, result }) => [...params, result]);
    expect(described.map(({ schema }) => Object.keys(schema).length > 0)).not.toContain(false);
    for (const one of described) {
      expect([one.name, validatorOf(one)('anything')]).toEqual([one.name, false]);
    }
  });

  it('has an example of each method that its schemas allow, and the errors that it may answer', () => {
    for (const { name, params, result, examples, errors } of document.methods) {
      const [example] = examples;
      expect([name, example!.params.map((one) => one.name)]).toEqual([
        name,
        params.map((one) => one.name),
      ]);
      const values = example!.params.map(({ value }) => value);
      expect([name, areDescribed(name.replace('ledger_', ''), values)]).toEqual([name, true]);
      expect(example!.result.name).toBe(result.name);
      expect([name, faultsOf(result, example!.result.value)]).toEqual([name, []]);
      expect(errors.map(({ code }) => code)).toContain(INVALID_PARAMS);
    }
  });

  it('stays small when all references are replaced by what they name', () => {
    const { schemas } = document.components;
    let objects = 0;
    const expand = (value: unknown): void => {
      objects += 1;
      expect(objects).toBeLessThan(MOST_OBJECTS);
      if (typeof value !== 'object' || value === null) return;
      const { $ref: reference } = value as { readonly $ref?: string };
      const name = reference?.replace('#/components/schemas/', '');
      for (const one of name === undefined ? Object.values(value) : [schemas[name]]) expand(one);
    };
    expand(document);
    expect(objects).toBeGreaterThan(1_000);
  });

  it.each(['Ascending', 'Descending'])('describes real pages, %s', async (ordering) => {
    const kinds = new Set<string>();
    let cursor: string | null = null;
    do {
      const page: EventPage = await getEvents(gateway, 'All', cursor, 50, ordering);
      expect(faultsOf(method('getEvents').result, page)).toEqual([]);
      for (const { event } of page.data) kinds.add(Object.keys(event)[0]!);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(kinds.size).toBe(7);
  });

  it('matches no page with an additional or a missing attribute', async () => {
    const page = await getEvents(gateway, { EventType: 'NewObject' }, null, 1);
    const [record] = structuredClone(page.data) as unknown as [{ event: { newObject: object } }];
    const { result } = method('getEvents');
    Object.assign(record.event.newObject, { version: 1 });
    expect(faultsOf(result, { ...page, data: [record] })).not.toEqual([]);
    expect(faultsOf(result, { data: page.data })).not.toEqual([]);
  });

  it.each(queries)('matches the params of a query: %j', async (params, isRight) => {
    expect(areDescribed('getEvents', params)).toBe(isRight);
    const request = { jsonrpc: '2.0', id: 1, method: 'ledger_getEvents', params };
    const { error } = (await postRpc(gateway, request)).body;
    expect(error?.code === INVALID_PARAMS).toBe(!isRight);
  });

  it('matches the params and results of subscriptions', async () => {
    const socket = await EventsSocket.open(gateway);
    for (const [params, isRight] of subscriptions) {
      expect([params, areDescribed('subscribeEvent', params)]).toEqual([params, isRight]);
      const { result, error } = await socket.call('ledger_subscribeEvent', params);
      expect([params, error?.code === INVALID_PARAMS]).toEqual([params, !isRight]);
      if (!isRight) continue;
      expect(faultsOf(method('subscribeEvent').result, result)).toEqual([]);
      expect(areDescribed('unsubscribeEvent', [result])).toBe(true);
      const ended = await socket.call('ledger_unsubscribeEvent', [result]);
      expect(faultsOf(method('unsubscribeEvent').result, ended.result)).toEqual([]);
    }
    socket.close();
  });
});
