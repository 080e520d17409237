import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { ExecutedTransactionSchema } from '../../node-messages/index.js';
import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase58 } from '@iota/iota-sdk/utils';
import { packageObject } from '../move/package-object.test-support.js';
import { EventNode } from './event-node.test-support.js';
import { recordedTransactions } from './recorded-packages.test-support.js';

const PACKAGE = `0x${'ab'.repeat(32)}`;
const SENDER = `0x${'5'.repeat(64)}`;
const LONG = 'n'.repeat(128);
/** With events, according to its effects. */
const EMISSION = 'J7csw5c5UmLMnNWbChmMHh8G4zBs6JNGGZeRcLX13UjE';
const WITHOUT_EVENTS = 'GZmTEeZvFahQxs5hBgWXdCGXEzGVDPDB4or3hPmK6QpW';

const Event = bcs.struct('Event', {
  version: bcs.u8(),
  packageId: bcs.Address,
  module: bcs.string(),
  sender: bcs.Address,
  type: bcs.StructTag,
  contents: bcs.byteVector(),
});

function event(name: string, contents: Uint8Array) {
  const type = { address: PACKAGE, module: 'm', name, typeParams: [] };
  const fields = { version: 0, packageId: PACKAGE, module: 'm', sender: SENDER, type, contents };
  return { bcs: { data: Event.serialize(fields).toBytes() } };
}

const bytes = (length: number) => bcs.byteVector().serialize(new Uint8Array(length)).toBytes();
const SMALL = event('Bytes', bytes(1));

let node: EventNode;
beforeEach(async () => {
  const named: [string, string] = [LONG, 'bool'];
  const types = [
    { name: 'Bytes', fields: [['bytes', 'vector<u8>'] as const] },
    { name: 'Named', fields: [named] },
    { name: 'Names', fields: [['all', `vector<${PACKAGE}::m::Named>`] as const] },
  ];
  const published = packageObject({ id: PACKAGE, modules: [{ name: 'm', types }] });
  node = await new EventNode([[PACKAGE, published]]).start();
});
afterEach(() => node.stop());

/** The transaction with these events, read from the node. */
async function read(
  events: ReturnType<typeof event>[],
  digest = EMISSION,
): Promise<{ events?: { parsedJson: unknown; bcs: string }[]; errors?: string[] }> {
  const { effects } = recordedTransactions.get(digest)!;
  const transaction = create(ExecutedTransactionSchema, {
    transaction: { digest: { digest: fromBase58(digest) } },
    effects: { bcs: { data: effects!.bcs!.data } },
    events: { events: { events } },
  });
  node.transactions.set(digest, transaction);
  const [answer] = await node.client.getTransactions([digest], ['events']);
  return answer as Awaited<ReturnType<typeof read>>;
}

describe('an event that is too large', () => {
  it('is shown without its JSON if its names exceed what nodes show, and others with it', async () => {
    const many = event('Names', bytes(8_000));
    const { events } = await read([SMALL, many, SMALL]);
    expect(events!.map(({ parsedJson }) => parsedJson)).toEqual([
      { bytes: [0] },
      null,
      { bytes: [0] },
    ]);
    expect(Buffer.from(events![1]!.bcs, 'base64')).toHaveLength(8_002);
    const few = await read([event('Names', bytes(4_000))]);
    expect(few.events![0]!.parsedJson).toMatchObject({ all: { length: 4_000 } });
  });

  it('is shown without its JSON if the events before it have used up the limit of the transaction', async () => {
    const quarter = event('Bytes', bytes(2 ** 18));
    const { events } = await read([...new Array<typeof quarter>(20).fill(quarter), SMALL]);
    const haveJson = events!.map(({ parsedJson }) => parsedJson !== null);
    expect(haveJson.slice(0, 15)).toEqual(new Array(15).fill(true));
    expect(haveJson.slice(16, 20)).toEqual(new Array(4).fill(false));
    expect(events!.map((one) => one.bcs.length > 0)).toEqual(new Array(21).fill(true));
  });
});

describe('events', () => {
  it('are missing, and not none, where the effects name them and the node sends none', async () => {
    expect(await read([])).not.toHaveProperty('events');
    expect((await read([], WITHOUT_EVENTS)).events).toEqual([]);
  });

  it('are left out, with the reason, if their bytes are not of their type', async () => {
    const { events, errors } = await read([SMALL, event('Bytes', Uint8Array.of(9, 1))]);
    expect(events).toBeUndefined();
    expect(errors).toEqual([expect.stringContaining('do not have the layout of its type')]);
  });
});
