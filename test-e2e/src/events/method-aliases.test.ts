import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AliasPage, AliasRecord } from '@forecourt/contracts';
import { Ajv } from 'ajv';
import { getAllEvents, postRpc } from '../support/events-client.js';
import { EventsSocket } from '../support/events-socket.js';
import { BOB, system, user } from '../support/systems/events-system.js';
import { buildCar, scrapCar } from '../support/ledger-user.js';
import { useEvents } from '../support/use-events.js';

const text = { type: 'string' };
const number = { type: 'number' };
/**
 * The object schema of validating programs of December 2022: every attribute is required, and no other is
 * allowed.
 */
const exactly = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const kind = (name: string, properties: Record<string, object>) =>
  exactly({ [name]: exactly(properties) });

const owner = {
  anyOf: [
    exactly({ AddressOwner: text }),
    exactly({ ObjectOwner: text }),
    exactly({ Shared: exactly({ initial_shared_version: number }) }),
    { const: 'Immutable' },
  ],
};
const origin = { packageId: text, transactionModule: text, sender: text };
const written = { objectId: text, version: number };
const id = exactly({ txSeq: number, eventSeq: number });
const record = exactly({
  timestamp: number,
  txDigest: text,
  id,
  event: {
    anyOf: [
      kind('moveEvent', { ...origin, type: text, fields: { type: 'object' }, bcs: text }),
      kind('publish', { sender: text, packageId: text }),
      kind('transferObject', { ...origin, ...written, recipient: owner, objectType: text }),
      kind('deleteObject', { ...origin, ...written }),
      kind('newObject', { ...origin, ...written, recipient: owner, objectType: text }),
      exactly({ epochChange: number }),
      exactly({ checkpoint: number }),
    ],
  },
});
const page = exactly({
  data: { type: 'array', items: record },
  nextCursor: { anyOf: [id, { type: 'null' }] },
});

const ajv = new Ajv({ strict: false });
const isPage = ajv.compile<AliasPage>(page);
const isRecord = ajv.compile<AliasRecord>(record);

describe('programs of 2022 that validate what they receive', () => {
  const events = useEvents(() => ({
    EVENTS_UPSTREAMS: system.ledgerUrl,
    EVENTS_METHOD_ALIASES: 'sui,ledger',
  }));

  beforeAll(async () => {
    const { created } = await user.run((tx) => {
      for (const model of ['Mini', 'Beetle']) buildCar(tx, model, user.address);
    });
    await user.run((tx) => scrapCar(tx, created[0]!));
    await user.run((tx) => void tx.transferObjects([tx.object(created[1]!)], BOB));
  });

  async function query(method: string, params: unknown) {
    const { body } = await postRpc(events.url, { jsonrpc: '2.0', id: 1, method, params });
    return body;
  }

  async function validPage(params: unknown): Promise<AliasPage> {
    const { result, error } = await query('sui_getEvents', params);
    expect(error).toBeUndefined();
    if (!isPage(result)) throw new Error(JSON.stringify([isPage.errors, result]));
    return result;
  }

  it.each([
    ['Ascending', false],
    ['Descending', true],
  ])('page through their events by the ids of events: %s', async (ordering, descending) => {
    const own = { Sender: user.address };
    const found: AliasRecord[] = [];
    let cursor: AliasPage['nextCursor'] = null;
    do {
      const next: AliasPage = await validPage([own, cursor, 2, descending]);
      found.push(...next.data);
      cursor = next.nextCursor;
    } while (cursor !== null);
    const everything = await getAllEvents(events.url, own, 1_000, ordering);
    expect(found.map((one) => one.id)).toEqual(everything.map((one) => one.id));
    const kinds = new Set(found.flatMap(({ event }) => Object.keys(event)));
    expect([...kinds]).toEqual(
      expect.arrayContaining(['newObject', 'deleteObject', 'transferObject']),
    );
  });

  it('name their params, and write a time range with underscores', async () => {
    const [first] = (await validPage(['All', null, 1])).data;
    const ends = { start_time: first!.timestamp, end_time: first!.timestamp };
    const found = await validPage({
      query: { TimeRange: ends },
      limit: 1,
      descending_order: false,
    });
    expect(found.data).toEqual([first]);
  });

  it('subscribe to everything', async () => {
    const socket = await EventsSocket.open(events.url);
    expect(await socket.call('sui_subscribeEvent', [{ All: [] }])).toMatchObject({ result: 1 });
    await user.run((tx) => buildCar(tx, 'Mini', user.address));
    const kinds = new Set<string>();
    let latest = '';
    // The end of a transaction from before the subscription may come first, with its checkpoint.
    while (latest !== 'checkpoint' || !kinds.has('moveEvent')) {
      const { method, params } = (await socket.next())!;
      expect(method).toBe('sui_subscribeEvent');
      expect([params?.result, isRecord(params?.result)]).toEqual([params?.result, true]);
      latest = Object.keys(params!.result!.event)[0]!;
      kinds.add(latest);
    }
    expect([...kinds]).toEqual(expect.arrayContaining(['moveEvent', 'newObject', 'checkpoint']));
    socket.close();
  });

  it('get an error that names the unsupported filter or method', async () => {
    expect(await query('sui_getEvents', [{ EventType: 'MutateObject' }])).toMatchObject({
      error: { code: -32_602, message: expect.stringMatching(/EventType.*"MutateObject"/) },
    });
    const refusals = [
      ['sui_getObject', /^Method not found: sui_getObject; this service has sui_getEvents, /],
      ['ledger_getObject', /^Method not found$/],
    ] as const;
    for (const [method, message] of refusals) {
      const { error } = await query(method, []);
      expect(error).toEqual({ code: -32_601, message: expect.stringMatching(message) });
    }
  });

  it('do not affect methods under the names of the specification, even where `ledger` is an alias', async () => {
    const ends = { start_time: 0, end_time: 1 };
    for (const params of [{ query: 'All' }, [{ TimeRange: ends }]]) {
      expect(await query('ledger_getEvents', params)).toMatchObject({ error: { code: -32_602 } });
    }
    const { data, nextCursor } = (await query('ledger_getEvents', ['All', null, 1])).result as {
      data: unknown[];
      nextCursor: unknown;
    };
    expect([data.length, typeof nextCursor]).toEqual([1, 'string']);
    const created = (await query('ledger_getEvents', [{ EventType: 'NewObject' }, null, 1])).result;
    const attributes = ['objectId', 'packageId', 'recipient', 'sender', 'transactionModule'];
    const [one] = (created as { data: { event: { newObject: object } }[] }).data;
    expect(Object.keys(one!.event.newObject).sort()).toEqual(attributes);
  });
});
