import { describe, expect, it } from '@jest/globals';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { decodeTransaction } from './decode-transaction.js';
import { aReference, aTransaction } from '../transaction.test-support.js';

/** The bytes end after this list's length: nothing of it has been read when it is refused. */
async function cutAfterLength(build: (tx: Transaction) => void, count: number) {
  const { bytes } = await aTransaction(build);
  const length = Buffer.of((count & 0x7f) | 0x80, count >> 7);
  const position = Buffer.from(bytes).lastIndexOf(length);
  expect(position).toBeGreaterThan(0);
  // More bytes than elements are declared, none of which begins an argument or a command.
  return Buffer.concat([bytes.subarray(0, position + length.length), Buffer.alloc(4_096, 0x7f)]);
}

describe('the counts of what a transaction contains', () => {
  it.each<[string, (tx: Transaction) => void, number]>([
    [
      '1025 commands',
      (tx) => {
        for (let i = 0; i < 1_025; i++) tx.moveCall({ target: '0x2::m::f' });
      },
      1_025,
    ],
    [
      '513 arguments',
      (tx) =>
        tx.moveCall({ target: '0x2::m::f', arguments: Array.from({ length: 513 }, () => tx.gas) }),
      513,
    ],
    ['257 gas coins', (tx) => tx.setGasPayment(Array.from({ length: 257 }, aReference)), 257],
  ])('are bounded before anything is read: %s', async (message, build, count) => {
    const bytes = await cutAfterLength(build, count);
    expect(() => decodeTransaction(bytes)).toThrow(message);
  });

  it('are bounded for type arguments', async () => {
    const typeArguments = Array<string>(17).fill('u8');
    const { bytes } = await aTransaction((tx) =>
      tx.moveCall({ target: '0x2::m::f', typeArguments }),
    );
    expect(() => decodeTransaction(bytes)).toThrow('17 type arguments exceed');
  });

  it('do not multiply the texts about uses of the gas coin', async () => {
    const { bytes } = await aTransaction((tx) => {
      for (let i = 0; i < 200; i++) {
        const gas = Array.from({ length: 512 }, () => tx.gas);
        tx.moveCall({ target: '0x2::m::f', arguments: gas });
      }
    });
    expect(decodeTransaction(bytes).gasCoinUses).toHaveLength(8);
  });
});
