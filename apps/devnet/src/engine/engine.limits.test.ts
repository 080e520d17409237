import { describe, expect, it } from '@jest/globals';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { COIN, net, TestChain } from './test-chain.test-support.js';
import { refusal } from './refusal.test-support.js';

describe('limits as on a node', () => {
  it('accept fewer than 256 gas coins', async () => {
    const chain = new TestChain();
    const alice = await chain.account(...Array.from({ length: 255 }, () => 100_000_000n));
    const { effects } = await chain.run(alice, () => undefined, { gas: alice.coins });
    expect(effects.status.status).toBe('success');
    expect(effects.deleted).toHaveLength(254);
  });

  it('accept a gas price of 100 000', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const executed = await chain.run(alice, () => undefined, {
      price: 100_000n,
      budget: 1_000_000_000n,
    });
    expect(executed.effects.gasUsed.computationCost).toBe(100_000_000n);
  });

  it('bill a coin as 129 bytes (980 400)', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const executed = await chain.run(alice, (tx) => {
      tx.transferObjects([tx.splitCoins(tx.gas, [1n])[0]], alice.address);
    });
    expect(executed.effects.gasUsed.storageCost).toBe(2n * 980_400n);
    expect(net(executed)).toBe(1_000_000n + 980_400n);
  });

  const EMPTY = 'cannot have empty arguments';
  const some = (count: number) => Array.from({ length: count }, () => [1]);
  it.each<[string, string, (tx: Transaction) => void]>([
    ['transfers nothing', EMPTY, (tx) => tx.transferObjects([], '0xb0b')],
    ['splits nothing', EMPTY, (tx) => void tx.splitCoins(tx.gas, [])],
    ['merges nothing', EMPTY, (tx) => void tx.mergeCoins(tx.gas, [])],
    ['publishes nothing', EMPTY, (tx) => void tx.publish({ modules: [], dependencies: [] })],
    ['makes an empty vector without a type', EMPTY, (tx) => void tx.makeMoveVec({ elements: [] })],
    [
      'publishes more than five packages',
      '5 max publish/upgrade commands allowed, 6 provided',
      (tx) => {
        for (let each = 0; each < 6; each++) tx.publish({ modules: some(1), dependencies: [] });
      },
    ],
    [
      'publishes 64 modules',
      'maximum modules in a programmable transaction upgrade command is 64',
      (tx) => void tx.publish({ modules: some(64), dependencies: [] }),
    ],
    [
      'depends on 32 packages',
      'maximum package dependencies is 32',
      (tx) => {
        const dependencies = Array.from(
          { length: 32 },
          (_, each) => `0x${(each + 1).toString(16)}`,
        );
        tx.publish({ modules: some(1), dependencies });
      },
    ],
    [
      'splits into 512 coins',
      'maximum arguments in a programmable transaction command is 512',
      (tx) =>
        void tx.splitCoins(
          tx.gas,
          Array.from({ length: 512 }, () => 1),
        ),
    ],
    [
      'passes 512 arguments to a call',
      'maximum arguments in a move call is 512',
      (tx) => {
        const amount = tx.pure.u64(1);
        const target = '0x2::coin::zero';
        tx.moveCall({ target, arguments: Array.from({ length: 512 }, () => amount) });
      },
    ],
  ])('refuse a transaction that %s', async (_what, text, fill) => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    expect(await refusal(chain, alice, () => undefined, fill)).toContain(text);
  });
});
