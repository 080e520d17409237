import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ObjectReference } from '../../object-reference.js';
import {
  full,
  owned,
  received,
  shared,
  sharedSince,
  ShownObjects,
} from './shown-objects.test-support.js';
import { aReference, anAddress } from '../transactions/transaction.test-support.js';

let node = new ShownObjects();
beforeEach(() => {
  node = new ShownObjects();
});

describe('owned inputs', () => {
  const sender = anAddress();

  it('are locked when they are the sender’s, and not when they are immutable', async () => {
    const mine = node.show(anAddress(), { AddressOwner: sender });
    const everybodys = node.show(anAddress(), 'Immutable');
    const inspected = await node.inspect((tx) => [owned(tx, mine), owned(tx, everybodys)], sender);
    expect(inspected).toEqual({ refusal: null, undecided: null, exclusive: [mine], doubts: [] });
  });

  it.each<[string, RegExp, () => ObjectReference]>([
    [
      'a package',
      /A move object is expected, instead a move package is passed: 0x0+2\.$/,
      () => node.showPackage(full('2')),
    ],
    [
      'somebody else’s',
      /not signed by the correct sender/,
      () => node.show(anAddress(), { AddressOwner: anAddress() }),
    ],
    [
      'a child of an object',
      /Objects owned by other objects cannot be used as input arguments/,
      () => node.show(anAddress(), { ObjectOwner: anAddress() }),
    ],
    ['shared', /used as shared is not shared/, () => node.show(anAddress(), sharedSince(1))],
    [
      'of an earlier version',
      /is not available for consumption, its current version: SequenceNumber\(9\)\.$/,
      () => ({ ...node.show(anAddress(), { AddressOwner: sender }, { version: 9 }), version: 8 }),
    ],
    [
      'of another digest',
      /Invalid Object digest/,
      () => ({ ...node.show(anAddress(), { AddressOwner: sender }), digest: aReference().digest }),
    ],
    [
      'deleted',
      /not available for consumption/,
      () => {
        const reference = aReference();
        const { objectId: object_id } = reference;
        const error = { code: 'deleted', version: '9', object_id, digest: '' };
        node.answer(reference.objectId, { error });
        return reference;
      },
    ],
  ])('are refused when they are %s', async (_what, text, make) => {
    const inspected = await node.inspect((tx) => owned(tx, make()), sender);
    expect(inspected).toEqual({
      refusal: expect.stringMatching(text),
      undecided: null,
      exclusive: [],
      doubts: [],
    });
    expect(node.reads).toHaveLength(1);
  });

  it('are undecided and looked up again alone when the node does not show them yet', async () => {
    const there = node.show(anAddress(), { AddressOwner: sender });
    const late = aReference();
    const first = await node.inspect((tx) => [owned(tx, there), owned(tx, late)], sender);
    expect(first).toMatchObject({ refusal: null, exclusive: [], doubts: [] });
    expect(first.undecided).toMatchObject({
      message: expect.stringContaining(`object ${late.objectId} at version`),
      areMany: false,
    });
    node.show(late.objectId, { AddressOwner: sender }, late);
    const second = await first.undecided!.lookAgain();
    expect(second).toMatchObject({ refusal: null, undecided: null, exclusive: [there, late] });
    expect(node.reads).toEqual([[there.objectId, late.objectId], [late.objectId]]);
  });

  it('raise a doubt and no lock when their kind of ownership is unknown', async () => {
    const strange = node.show(anAddress(), { ConsensusOwner: {} });
    const inspected = await node.inspect((tx) => owned(tx, strange), sender);
    expect(inspected).toMatchObject({ refusal: null, exclusive: [] });
    expect(inspected.doubts).toEqual([expect.stringContaining(strange.objectId)]);
  });

  it('raise a doubt and no lock when the node’s answer does not describe them', async () => {
    const reference = aReference();
    node.answer(reference.objectId, { error: { code: 'unknown' } });
    const inspected = await node.inspect((tx) => owned(tx, reference), sender);
    expect(inspected).toMatchObject({ refusal: null, exclusive: [] });
    expect(inspected.doubts).toHaveLength(1);
  });
});

describe('received inputs', () => {
  const sender = anAddress();

  it('are locked when their parent is an input of the sender’s, and always raise a doubt', async () => {
    const parent = node.show(anAddress(), { AddressOwner: sender });
    const child = node.show(anAddress(), { AddressOwner: parent.objectId });
    const inspected = await node.inspect((tx) => [received(tx, child), owned(tx, parent)], sender);
    expect(inspected.exclusive).toEqual([parent, child]);
    expect(inspected.doubts).toEqual(['it receives objects']);
  });

  it('are not locked when their parent is shared', async () => {
    const parent = anAddress();
    node.show(parent, sharedSince(4));
    const ofShared = node.show(anAddress(), { AddressOwner: parent });
    const inspected = await node.inspect(
      (tx) => [shared(tx, parent, 4), received(tx, ofShared)],
      sender,
    );
    expect(inspected).toEqual({
      refusal: null,
      undecided: null,
      exclusive: [],
      doubts: ['it receives objects'],
    });
  });

  it.each([
    ['somebody', () => anAddress()],
    ['the sender', () => sender],
  ])('are refused when they belong to %s and not to an input', async (_who, owner) => {
    const address = owner();
    const foreign = node.show(anAddress(), { AddressOwner: address });
    const { refusal, exclusive } = await node.inspect((tx) => received(tx, foreign), sender);
    expect(refusal).toContain(
      `Object ${foreign.objectId} is owned by ${address}, which is not an input of the transaction`,
    );
    expect(exclusive).toEqual([]);
  });

  it.each<[string, RegExp, () => ObjectReference]>([
    ['are immutable', /Immutable parameter provided/, () => node.show(anAddress(), 'Immutable')],
    ['are packages', /instead a move package is passed/, () => node.showPackage(full('2'))],
    ['are shared', /used as shared is not shared/, () => node.show(anAddress(), sharedSince(1))],
    [
      'have another version',
      /not available for consumption/,
      () => ({ ...node.show(anAddress(), { AddressOwner: sender }, { version: 9 }), version: 7 }),
    ],
  ])('are refused when they %s', async (_what, text, make) => {
    const reference = make();
    const inspected = await node.inspect((tx) => received(tx, reference), sender);
    expect(inspected).toMatchObject({ refusal: expect.stringMatching(text), exclusive: [] });
  });
});

describe('shared inputs', () => {
  it('are looked up once per epoch, then known with their initial shared version', async () => {
    const counter = anAddress();
    node.show(counter, sharedSince(4));
    for (const epoch of [1n, 1n, 2n]) {
      const inspected = await node.inspect((tx) => shared(tx, counter, 4), anAddress(), epoch);
      expect(inspected).toEqual({ refusal: null, undecided: null, exclusive: [], doubts: [] });
    }
    expect(node.reads).toEqual([[counter], [counter]]);
    const wrong = await node.inspect((tx) => shared(tx, counter, 5), anAddress(), 2n);
    expect(wrong.refusal).toMatch(/Wrong initial version given for shared object/);
    expect(node.reads).toHaveLength(2);
  });

  it.each([
    ['owned by an address', { AddressOwner: anAddress() }],
    ['a child', { ObjectOwner: anAddress() }],
    ['immutable', 'Immutable'],
  ])('are refused when they are %s, however often they are named', async (_what, owner) => {
    const id = anAddress();
    node.show(id, owner);
    for (let i = 0; i < 2; i++) {
      const { refusal } = await node.inspect((tx) => shared(tx, id, 1));
      expect(refusal).toMatch(/used as shared is not shared/);
    }
  });

  it('raise a doubt when they were deleted: validators remember them until the epoch ends', async () => {
    const id = anAddress();
    const error = { code: 'deleted', version: '9', object_id: id, digest: '' };
    node.answer(id, { error });
    const inspected = await node.inspect((tx) => shared(tx, id, 1));
    expect(inspected).toMatchObject({ refusal: null, doubts: [expect.stringContaining(id)] });
  });

  it.each(['6', '8'])(
    'must not be written when they belong to the system (0x%s)',
    async (digits) => {
      node.show(full(digits), sharedSince(1));
      const written = await node.inspect((tx) => shared(tx, full(digits), 1, true));
      expect(written.refusal).toMatch(/Mutable parameter provided, immutable parameter expected/);
      expect(node.reads).toEqual([]);
      const read = await node.inspect((tx) => shared(tx, full(digits), 1, false));
      expect(read.refusal).toBeNull();
    },
  );

  it('may include the system state, written, and not the authenticators', async () => {
    node.show(full('5'), sharedSince(1));
    expect((await node.inspect((tx) => shared(tx, full('5'), 1, true))).refusal).toBeNull();
    const { refusal } = await node.inspect((tx) => shared(tx, full('7'), 1, false));
    expect(refusal).toMatch(/is a system object and cannot be accessed/);
  });
});

describe('packages', () => {
  it('are looked up once: those called and those of types', async () => {
    node.showPackage(full('abc'));
    for (let i = 0; i < 2; i++) {
      const inspected = await node.inspect((tx) =>
        tx.moveCall({ target: '0x2::m::f', typeArguments: ['vector<0xabc::m::T>'] }),
      );
      expect(inspected).toEqual({ refusal: null, undecided: null, exclusive: [], doubts: [] });
    }
    expect(node.reads).toEqual([[full('2'), full('abc')]]);
  });

  it('are refused when they are objects, also once these have been seen as shared', async () => {
    const counter = anAddress();
    node.show(counter, sharedSince(4));
    await node.inspect((tx) => shared(tx, counter, 4));
    for (let i = 0; i < 2; i++) {
      const { refusal } = await node.inspect((tx) => tx.moveCall({ target: `${counter}::m::f` }));
      expect(refusal).toMatch(/A move package is expected, instead a move object is passed/);
    }
    const asShared = await node.inspect((tx) => shared(tx, full('2'), 1));
    expect(asShared.refusal).toMatch(/used as shared is not shared/);
  });

  it('raise a doubt when they are published or upgraded', async () => {
    const inspected = await node.inspect((tx) => {
      tx.publish({ modules: [[1]], dependencies: ['0x2'] });
      tx.upgrade({ modules: [[1]], dependencies: [], package: '0x2', ticket: tx.pure.u8(1) });
    });
    expect(inspected.doubts).toEqual(['it publishes a package', 'it upgrades a package']);
  });
});
