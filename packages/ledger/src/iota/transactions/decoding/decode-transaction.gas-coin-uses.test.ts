import { describe, expect, it } from '@jest/globals';
import { Inputs, Transaction } from '@iota/iota-sdk/transactions';
import { decodeTransaction } from './decode-transaction.js';
import { aReference, aTransaction, anAddress } from '../transaction.test-support.js';

describe('findGasCoinUses', () => {
  it.each<[string, (tx: Transaction) => void]>([
    ['(SplitCoins), coin', (tx) => tx.splitCoins(tx.gas, [1])],
    ['(SplitCoins), amount 1', (tx) => tx.splitCoins(aResult(tx), [1, tx.gas])],
    ['(TransferObjects), object 0', (tx) => tx.transferObjects([tx.gas], anAddress())],
    [
      '(TransferObjects), address',
      (tx) => tx.transferObjects([tx.makeMoveVec({ elements: [], type: 'u8' })], tx.gas),
    ],
    ['(MergeCoins), destination', (tx) => tx.mergeCoins(tx.gas, [aResult(tx)])],
    ['(MergeCoins), source 0', (tx) => tx.mergeCoins(aResult(tx), [tx.gas])],
    ['(MakeMoveVec), element 0', (tx) => tx.makeMoveVec({ elements: [tx.gas] })],
    [
      '(MoveCall), argument 1',
      (tx) => tx.moveCall({ target: '0x2::m::f', arguments: [tx.pure.u8(1), tx.gas] }),
    ],
    [
      '(Upgrade), ticket',
      (tx) => tx.upgrade({ modules: [], dependencies: [], package: anAddress(), ticket: tx.gas }),
    ],
  ])('finds a use of the gas coin in %s', async (place, use) => {
    const { bytes } = await aTransaction(use);
    const { gasCoinUses } = decodeTransaction(bytes);
    expect(gasCoinUses).toEqual([expect.stringContaining(place)]);
  });

  it('finds no use of the gas coin where there is none', async () => {
    const { bytes } = await aTransaction((tx) => {
      const [coin] = tx.splitCoins(aResult(tx), [1]);
      tx.transferObjects([coin], anAddress());
    });
    expect(decodeTransaction(bytes).gasCoinUses).toEqual([]);
  });
});

const aResult = (tx: Transaction) => tx.object(Inputs.ObjectRef({ ...aReference() }));
