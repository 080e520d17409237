import { beforeEach, describe, expect, it } from '@jest/globals';
import { owned, ShownObjects } from './shown-objects.test-support.js';
import { aReference, anAddress } from '../transactions/transaction.test-support.js';

let node = new ShownObjects();
beforeEach(() => {
  node = new ShownObjects();
});

describe('made-up inputs', () => {
  it('cost one read, however many they are, and are not all listed', async () => {
    const { undecided } = await node.inspect((tx) => {
      for (let i = 0; i < 500; i++) owned(tx, aReference());
    });
    expect(node.reads).toHaveLength(1);
    expect(undecided!.areMany).toBe(true);
    expect(undecided!.message.length).toBeLessThan(2_000);
    expect(undecided!.message).toMatch(/, and 42 more\.$/);
    await undecided!.lookAgain();
    expect(node.reads).toHaveLength(2);
  });

  it('cost no page of reads after the one that decides, beside real inputs', async () => {
    const sender = anAddress();
    const wrong = node.show(anAddress(), { AddressOwner: anAddress() });
    await node.inspect((tx) => {
      owned(tx, wrong);
      for (let i = 0; i < 300; i++) owned(tx, node.show(anAddress(), { AddressOwner: sender }));
    }, sender);
    expect(node.reads).toHaveLength(1);
  });

  it('are refused without a read when they occur twice', async () => {
    const reference = aReference();
    const twices = [
      { ownedInputs: [reference, reference] },
      { receivedInputs: [reference] },
      { packages: [reference.objectId] },
    ];
    for (const twice of twices) {
      const { refusal } = await node.inspect(
        (tx) => owned(tx, reference),
        anAddress(),
        1n,
        (transaction) => ({ ...transaction, ...twice }),
      );
      expect(refusal).toMatch(/inputs contain duplicated ObjectRef's/);
    }
    expect(node.reads).toEqual([]);
  });
});
