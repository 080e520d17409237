import { beforeEach, describe, expect, it } from '@jest/globals';
import type { IotaClient, IotaObjectResponse } from '@iota/iota-sdk/client';
import { Inputs, type Transaction } from '@iota/iota-sdk/transactions';
import type { ObjectReference } from '../object-reference.js';
import { decodeTransaction } from './decode-transaction.js';
import { inspectInputs } from './inspect-inputs.js';
import { KnownObjects } from './known-objects.js';
import { aReference, aTransaction, anAddress } from './transaction.test-support.js';

const full = (digits: string) => `0x${digits.padStart(64, '0')}`;

/** What a node shows, by id; everything else does not exist. */
const shown = new Map<string, IotaObjectResponse>();
let reads: string[][] = [];
const node = {
  multiGetObjects: ({ ids }: { ids: string[] }) => {
    reads.push(ids);
    const notThere = (id: string) => ({ error: { code: 'notExists', object_id: id } });
    return Promise.resolve(ids.map((id) => shown.get(id) ?? notThere(id)));
  },
} as unknown as IotaClient;
let known = new KnownObjects();

beforeEach(() => {
  shown.clear();
  reads = [];
  known = new KnownObjects();
  show(full('2'), 'Immutable', { type: 'package' });
});

function show(
  objectId: string,
  owner: unknown,
  more: Partial<ObjectReference> & { type?: string } = {},
): ObjectReference {
  const { version, digest } = aReference();
  const data = { objectId, version, digest, type: '0x2::m::T', owner, ...more };
  const response = { data: { ...data, version: String(data.version) } };
  shown.set(objectId, response as unknown as IotaObjectResponse);
  return { objectId, version: data.version, digest: data.digest };
}

const owned = (tx: Transaction, reference: ObjectReference) =>
  tx.object(Inputs.ObjectRef({ ...reference }));
const received = (tx: Transaction, reference: ObjectReference) =>
  tx.object(Inputs.ReceivingRef({ ...reference }));
const shared = (tx: Transaction, objectId: string, initialSharedVersion: number, mutable = true) =>
  tx.object(Inputs.SharedObjectRef({ objectId, initialSharedVersion, mutable }));
const inShared = (since: number) => ({ Shared: { initial_shared_version: String(since) } });

/** Inspects a transaction; `fill` learns its sender once it is known. */
async function inspect(fill: (tx: Transaction) => unknown, sender = anAddress(), epoch = 1n) {
  const { bytes } = await aTransaction((tx) => {
    tx.setSender(sender);
    fill(tx);
  });
  return inspectInputs(node, decodeTransaction(bytes), known, epoch);
}

describe('owned inputs', () => {
  const sender = anAddress();

  it('are locked when they are the sender’s, and used freely when they are immutable', async () => {
    const mine = show(anAddress(), { AddressOwner: sender });
    const everybodys = show(anAddress(), 'Immutable');
    const inspected = await inspect((tx) => [owned(tx, mine), owned(tx, everybodys)], sender);
    expect(inspected).toEqual({ refusal: null, exclusive: [mine], doubts: [] });
  });

  it.each<[string, RegExp, () => ObjectReference]>([
    [
      'a package',
      /A move object is expected, instead a move package is passed: 0x0+2$/,
      () => show(full('2'), 'Immutable', { type: 'package' }),
    ],
    [
      'somebody else’s',
      /not signed by the correct sender/,
      () => show(anAddress(), { AddressOwner: anAddress() }),
    ],
    [
      'a child of an object',
      /Objects owned by other objects cannot be used as input arguments/,
      () => show(anAddress(), { ObjectOwner: anAddress() }),
    ],
    ['shared', /used as shared is not shared/, () => show(anAddress(), inShared(1))],
    [
      'of a version that is over',
      /is not available for consumption, current version: 0x9$/,
      () => ({ ...show(anAddress(), { AddressOwner: sender }, { version: 9 }), version: 8 }),
    ],
    [
      'of another digest',
      /Invalid Object digest/,
      () => ({ ...show(anAddress(), { AddressOwner: sender }), digest: aReference().digest }),
    ],
    [
      'deleted',
      /not available for consumption/,
      () => {
        const reference = aReference();
        const error = { code: 'deleted', version: '9', object_id: '', digest: '' };
        shown.set(reference.objectId, { error } as unknown as IotaObjectResponse);
        return reference;
      },
    ],
  ])('are refused when they are %s', async (_what, text, make) => {
    const inspected = await inspect((tx) => owned(tx, make()), sender);
    expect(inspected).toEqual({
      refusal: expect.stringMatching(text),
      exclusive: [],
      doubts: [],
    });
    expect(reads).toHaveLength(1);
  });

  it('that a node has not seen yet are looked at again, and only those', async () => {
    const there = show(anAddress(), { AddressOwner: sender });
    const late = aReference();
    const inspecting = inspect((tx) => [owned(tx, there), owned(tx, late)], sender);
    setTimeout(() => show(late.objectId, { AddressOwner: sender }, late), 50);
    expect(await inspecting).toMatchObject({ refusal: null, exclusive: [there, late] });
    expect(reads).toEqual([[there.objectId, late.objectId], [late.objectId]]);
  });

  it('of a kind of ownership that is unknown are a doubt, and not locked', async () => {
    const strange = show(anAddress(), { ConsensusOwner: {} });
    const inspected = await inspect((tx) => owned(tx, strange), sender);
    expect(inspected).toMatchObject({ refusal: null, exclusive: [] });
    expect(inspected.doubts).toEqual([expect.stringContaining(strange.objectId)]);
  });

  it('that a node says nothing about are a doubt, and not locked', async () => {
    const reference = aReference();
    shown.set(reference.objectId, { error: { code: 'unknown' } });
    const inspected = await inspect((tx) => owned(tx, reference), sender);
    expect(inspected).toMatchObject({ refusal: null, exclusive: [] });
    expect(inspected.doubts).toHaveLength(1);
  });
});

describe('received inputs', () => {
  const sender = anAddress();

  it('are locked when their parent is an input that is the sender’s, and always doubtful', async () => {
    const parent = show(anAddress(), { AddressOwner: sender });
    const child = show(anAddress(), { AddressOwner: parent.objectId });
    const inspected = await inspect((tx) => [received(tx, child), owned(tx, parent)], sender);
    expect(inspected.exclusive).toEqual([parent, child]);
    expect(inspected.doubts).toEqual(['it receives objects']);
  });

  it('are not locked when their parent is shared, no input or somebody else', async () => {
    const parent = anAddress();
    show(parent, inShared(4));
    const ofShared = show(anAddress(), { AddressOwner: parent });
    const ofStranger = show(anAddress(), { AddressOwner: anAddress() });
    const ofSender = show(anAddress(), { AddressOwner: sender });
    const inspected = await inspect(
      (tx) => [
        shared(tx, parent, 4),
        ...[ofShared, ofStranger, ofSender].map((one) => received(tx, one)),
      ],
      sender,
    );
    expect(inspected).toEqual({ refusal: null, exclusive: [], doubts: ['it receives objects'] });
  });

  it.each<[string, RegExp, () => ObjectReference]>([
    [
      'do not exist',
      /Could not find the referenced object 0x\w+ at version Some/,
      () => aReference(),
    ],
    ['are immutable', /Immutable parameter provided/, () => show(anAddress(), 'Immutable')],
    [
      'are packages',
      /instead a move package is passed/,
      () => show(full('2'), 'Immutable', { type: 'package' }),
    ],
    ['are shared', /used as shared is not shared/, () => show(anAddress(), inShared(1))],
    [
      'have another version',
      /not available for consumption/,
      () => ({ ...show(anAddress(), { AddressOwner: sender }, { version: 9 }), version: 7 }),
    ],
  ])('are refused when they %s', async (_what, text, make) => {
    const reference = make();
    const inspected = await inspect((tx) => received(tx, reference), sender);
    expect(inspected).toMatchObject({ refusal: expect.stringMatching(text), exclusive: [] });
  });
});

describe('shared inputs', () => {
  it('are looked up once in an epoch, then known with the version they are shared since', async () => {
    const counter = anAddress();
    show(counter, inShared(4));
    for (const epoch of [1n, 1n, 2n]) {
      const inspected = await inspect((tx) => shared(tx, counter, 4), anAddress(), epoch);
      expect(inspected).toEqual({ refusal: null, exclusive: [], doubts: [] });
    }
    expect(reads).toEqual([[counter], [counter]]);
    const wrong = await inspect((tx) => shared(tx, counter, 5), anAddress(), 2n);
    expect(wrong.refusal).toMatch(/Wrong initial version given for shared object/);
    expect(reads).toHaveLength(2);
  });

  it.each([
    ['owned by an address', { AddressOwner: anAddress() }],
    ['a child', { ObjectOwner: anAddress() }],
    ['immutable', 'Immutable'],
  ])('are refused when they are %s, however often they are named', async (_what, owner) => {
    const id = anAddress();
    show(id, owner);
    for (let i = 0; i < 2; i++) {
      const { refusal } = await inspect((tx) => shared(tx, id, 1));
      expect(refusal).toMatch(/used as shared is not shared/);
    }
  });

  it('that were deleted are a doubt: validators remember them until the epoch ends', async () => {
    const id = anAddress();
    const error = { code: 'deleted', version: '9', object_id: id, digest: '' };
    shown.set(id, { error } as unknown as IotaObjectResponse);
    const inspected = await inspect((tx) => shared(tx, id, 1));
    expect(inspected).toMatchObject({ refusal: null, doubts: [expect.stringContaining(id)] });
  });

  it.each(['6', '8'])('may not be written when they are the system’s (0x%s)', async (digits) => {
    show(full(digits), inShared(1));
    const written = await inspect((tx) => shared(tx, full(digits), 1, true));
    expect(written.refusal).toMatch(/Mutable parameter provided, immutable parameter expected/);
    expect(reads).toEqual([]);
    const read = await inspect((tx) => shared(tx, full(digits), 1, false));
    expect(read.refusal).toBeNull();
  });

  it('may be the system state, written, and not the authenticators', async () => {
    show(full('5'), inShared(1));
    expect((await inspect((tx) => shared(tx, full('5'), 1, true))).refusal).toBeNull();
    const { refusal } = await inspect((tx) => shared(tx, full('7'), 1, false));
    expect(refusal).toMatch(/is a system object and cannot be accessed/);
  });
});

describe('packages', () => {
  it('are looked up once: those called and those of types', async () => {
    show(full('abc'), 'Immutable', { type: 'package' });
    for (let i = 0; i < 2; i++) {
      const inspected = await inspect((tx) =>
        tx.moveCall({ target: '0x2::m::f', typeArguments: ['vector<0xabc::m::T>'] }),
      );
      expect(inspected).toEqual({ refusal: null, exclusive: [], doubts: [] });
    }
    expect(reads).toEqual([[full('2'), full('abc')]]);
  });

  it('are refused when they are objects, also once these have been seen to be shared', async () => {
    const counter = anAddress();
    show(counter, inShared(4));
    await inspect((tx) => shared(tx, counter, 4));
    for (let i = 0; i < 2; i++) {
      const { refusal } = await inspect((tx) => tx.moveCall({ target: `${counter}::m::f` }));
      expect(refusal).toMatch(/A move package is expected, instead a move object is passed/);
    }
    const asShared = await inspect((tx) => shared(tx, full('2'), 1));
    expect(asShared.refusal).toMatch(/used as shared is not shared/);
  });

  it('that do not exist are refused: called, of a type, or depended on', async () => {
    const [called, ofType, dependency] = [anAddress(), anAddress(), anAddress()];
    const { refusal } = await inspect((tx) => {
      tx.moveCall({ target: `${called}::m::f`, typeArguments: [`${ofType}::m::T`] });
      tx.publish({ modules: [[1]], dependencies: [dependency] });
    });
    for (const id of [called, ofType, dependency]) {
      expect(refusal).toContain(`- Dependent package not found on-chain: ${id}`);
    }
  });

  it('that are published or upgraded are a doubt', async () => {
    const inspected = await inspect((tx) => {
      tx.publish({ modules: [[1]], dependencies: ['0x2'] });
      tx.upgrade({ modules: [[1]], dependencies: [], package: '0x2', ticket: tx.pure.u8(1) });
    });
    expect(inspected.doubts).toEqual(['it publishes a package', 'it upgrades a package']);
  });
});

describe('made-up inputs', () => {
  it('cost one read, however many they are, and are not all listed', async () => {
    const { refusal } = await inspect((tx) => {
      for (let i = 0; i < 500; i++) owned(tx, aReference());
    });
    expect(reads).toHaveLength(1);
    expect(refusal!.length).toBeLessThan(2_000);
    expect(refusal).toMatch(/- and 42 more$/);
  });

  it('beside real ones cost no page after the one that tells', async () => {
    const sender = anAddress();
    const wrong = show(anAddress(), { AddressOwner: anAddress() });
    await inspect((tx) => {
      owned(tx, wrong);
      for (let i = 0; i < 300; i++) owned(tx, show(anAddress(), { AddressOwner: sender }));
    }, sender);
    expect(reads).toHaveLength(1);
  });

  it('that come twice are refused without a read', async () => {
    const reference = aReference();
    const { bytes } = await aTransaction((tx) => void owned(tx, reference));
    const transaction = decodeTransaction(bytes);
    for (const twice of [
      { ...transaction, ownedInputs: [reference, reference] },
      { ...transaction, receivedInputs: [reference] },
      { ...transaction, packages: [reference.objectId] },
    ]) {
      const { refusal } = await inspectInputs(node, twice, known, 1n);
      expect(refusal).toMatch(/inputs contain duplicated ObjectRef's/);
    }
    expect(reads).toEqual([]);
  });
});
