import { describe, expect, it } from '@jest/globals';
import { Inputs } from '@iota/iota-sdk/transactions';
import { aReference, aTransaction, anAddress } from '../transaction.test-support.js';
import { transactionJson } from './transaction-json.js';

describe('transactionJson', () => {
  it('writes variants by their names, bytes as numbers and references as lists', async () => {
    const [owned, received] = [aReference(), aReference()];
    const shared = { objectId: anAddress(), initialSharedVersion: 3, mutable: true };
    const { bytes, sender, sponsor, payment } = await aTransaction((tx) => {
      const [coin] = tx.splitCoins(tx.object(Inputs.ObjectRef(owned)), [tx.pure.u8(7)]);
      const taken = tx.object(Inputs.ReceivingRef(received));
      tx.moveCall({
        target: '0x2::m::f',
        arguments: [tx.object(Inputs.SharedObjectRef(shared)), taken],
      });
      tx.mergeCoins(tx.gas, [coin]);
      tx.setExpiration({ Epoch: 9 });
    });
    const listed = ({ objectId, version, digest }: typeof owned) => [objectId, version, digest];
    const { objectId: id, mutable } = shared;
    expect(transactionJson(bytes)).toEqual({
      V1: {
        kind: {
          ProgrammableTransaction: {
            inputs: [
              { Object: { ImmOrOwnedObject: listed(owned) } },
              { Pure: [7] },
              { Object: { Receiving: listed(received) } },
              { Object: { SharedObject: { id, mutable, initial_shared_version: 3 } } },
            ],
            commands: [
              { SplitCoins: [{ Input: 0 }, [{ Input: 1 }]] },
              {
                MoveCall: {
                  package: `0x${'2'.padStart(64, '0')}`,
                  module: 'm',
                  function: 'f',
                  type_arguments: [],
                  arguments: [{ Input: 3 }, { Input: 2 }],
                },
              },
              { MergeCoins: ['GasCoin', [{ NestedResult: [0, 0] }]] },
            ],
          },
        },
        sender,
        gas_data: { payment: payment.map(listed), owner: sponsor, price: 1_000, budget: 5_000_000 },
        expiration: { Epoch: 9 },
      },
    });
  });

  it('does not write an expiration for a transaction without a last epoch', async () => {
    const { bytes } = await aTransaction();
    expect(transactionJson(bytes)).toMatchObject({ V1: { expiration: 'None' } });
  });
});
