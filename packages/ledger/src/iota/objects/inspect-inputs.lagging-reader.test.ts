import { beforeEach, describe, expect, it } from '@jest/globals';
import { owned, received, ShownObjects } from './shown-objects.test-support.js';
import { aReference, anAddress } from '../transactions/transaction.test-support.js';

let node = new ShownObjects();
const sender = anAddress();
const mine = { AddressOwner: sender };
beforeEach(() => {
  node = new ShownObjects();
});

describe('inputs that the fleet has seen change, read from a node that lags', () => {
  it.each([
    ['an earlier version', () => aReference(), 1],
    ['nothing', () => aReference(), null],
  ])(
    'are decided by their exact reference while the node shows %s',
    async (_what, make, nodeVersion) => {
      const reference = { ...make(), version: 5 };
      if (nodeVersion !== null) node.show(reference.objectId, mine, { version: nodeVersion });
      node.make(reference, mine);
      const inspected = await node.inspect((tx) => owned(tx, reference), sender);
      expect(inspected).toEqual({
        refusal: null,
        undecided: null,
        exclusive: [reference],
        doubts: [],
      });
      expect(node.reads).toHaveLength(1);
    },
  );

  it.each([
    ['changed', mine],
    ['given away', { AddressOwner: anAddress() }],
    ['turned into a child', { ObjectOwner: anAddress() }],
    ['deleted or wrapped', null],
  ])(
    'are stale at the version that was %s, though the node still shows it',
    async (_what, owner) => {
      const before = node.show(anAddress(), mine, { version: 4 });
      node.make({ ...before, version: 5, digest: aReference().digest }, owner);
      for (const name of [owned, received]) {
        const { refusal, isBehind, exclusive } = await node.inspect(
          (tx) => name(tx, before),
          sender,
        );
        expect(isBehind).toBe(true);
        expect(refusal).toMatch(
          /is not available for consumption, its current version: SequenceNumber\(5\)\.$/,
        );
        expect(exclusive).toEqual([]);
      }
    },
  );

  it.each<[string, object, RegExp]>([
    ['has another digest', { digest: aReference().digest }, /Invalid Object digest/],
    ['another account’s', { owner: { AddressOwner: anAddress() } }, /correct sender/],
    ['is a child', { owner: { ObjectOwner: anAddress() } }, /owned by other objects/],
    ['is gone', { owner: null }, /not available for consumption/],
  ])('are refused when the recent object %s', async (_what, change, text) => {
    const reference = { ...aReference(), version: 5 };
    node.recent.set(reference.objectId, { ...reference, owner: mine, ...change });
    const inspected = await node.inspect((tx) => owned(tx, reference), sender);
    expect(inspected.refusal).toMatch(text);
    expect(inspected.isBehind).toBeUndefined();
  });

  it('are judged by the node where it shows a higher version', async () => {
    const reference = node.show(anAddress(), mine, { version: 9 });
    node.make({ ...reference, version: 5 }, mine);
    const stale = await node.inspect((tx) => owned(tx, { ...reference, version: 5 }), sender);
    expect(stale.refusal).toMatch(/its current version: SequenceNumber\(9\)\.$/);
    const current = await node.inspect((tx) => owned(tx, reference), sender);
    expect(current.exclusive).toEqual([reference]);
  });

  it('are undecided above the version of either', async () => {
    const reference = node.show(anAddress(), mine, { version: 4 });
    node.make({ ...reference, version: 5 }, mine);
    const { refusal, undecided } = await node.inspect(
      (tx) => owned(tx, { ...reference, version: 6 }),
      sender,
    );
    expect(refusal).toBeNull();
    expect(undecided?.message).toMatch(/Could not find the referenced object/);
  });

  it('are received from a parent that is an input, also when the parent is recent', async () => {
    const parent = node.make({ ...aReference(), version: 5 }, mine);
    const child = node.make({ ...aReference(), version: 5 }, { AddressOwner: parent.objectId });
    const { exclusive } = await node.inspect(
      (tx) => [owned(tx, parent), received(tx, child)],
      sender,
    );
    expect(exclusive).toEqual([parent, child]);
  });
});

describe('objects that a node does not show', () => {
  it('are undecided when an object of an earlier version was deleted or wrapped', async () => {
    const reference = { ...aReference(), version: 9 };
    const error = { code: 'deleted', version: '8', object_id: reference.objectId, digest: '' };
    node.answer(reference.objectId, { error });
    const { refusal, undecided } = await node.inspect((tx) => owned(tx, reference), sender);
    expect(refusal).toBeNull();
    expect(undecided?.message).toMatch(/Could not find the referenced object/);
  });

  it.each([
    ['owned', owned],
    ['received', received],
  ])('are undecided when they are %s', async (_how, name) => {
    const { refusal, undecided } = await node.inspect((tx) => name(tx, aReference()), sender);
    expect(refusal).toBeNull();
    expect(undecided?.message).toMatch(
      /Could not find the referenced object 0x\w+ at version Some/,
    );
  });

  it('are undecided when they are packages: called, of a type, or depended on', async () => {
    const [called, ofType, dependency] = [anAddress(), anAddress(), anAddress()];
    const { undecided } = await node.inspect((tx) => {
      tx.moveCall({ target: `${called}::m::f`, typeArguments: [`${ofType}::m::T`] });
      tx.publish({ modules: [[1]], dependencies: [dependency] });
    });
    for (const id of [called, ofType, dependency]) {
      expect(undecided?.message).toContain(` Dependent package not found on-chain: ${id}`);
    }
  });
});
