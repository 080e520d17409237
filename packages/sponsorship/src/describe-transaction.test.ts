import { describe, expect, it } from '@jest/globals';
import { calledFunctions, describeTransaction } from './describe-transaction.js';
import { aTransaction, codec, full, sender } from './stored-sponsorship.test-support.js';

describe('a described transaction', () => {
  it('names its sender, its commands in order, and each called function once', async () => {
    const transaction = await aTransaction((tx) => {
      const coin = tx.splitCoins(tx.object.system(), [1]);
      tx.moveCall({ target: '0x2::m::f' });
      tx.transferObjects([coin], sender);
      tx.moveCall({ target: '0x2::m::f' });
      tx.publish({ modules: [[1]], dependencies: ['0x2'] });
    });
    const described = describeTransaction(codec, transaction);
    expect(described).toEqual({
      sender,
      commands: [
        'SplitCoins',
        `MoveCall ${full('2')}::m::f`,
        'TransferObjects',
        `MoveCall ${full('2')}::m::f`,
        'Publish',
      ],
    });
    expect(calledFunctions(described.commands)).toEqual([
      { package: full('2'), module: 'm', function: 'f' },
    ]);
  });

  it('is empty without a transaction', () => {
    expect(describeTransaction(codec, '')).toEqual({ sender: null, commands: [] });
  });
});
