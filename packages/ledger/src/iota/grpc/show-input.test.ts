import { describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import { showTransactionData } from './show-input.js';

type Data = NonNullable<(typeof bcs.TransactionData.$inferInput)['V1']>;
type Program = Extract<
  Data['kind'],
  { ProgrammableTransaction: unknown }
>['ProgrammableTransaction'];

const address = (digit: string) => `0x${digit.repeat(64)}`;
/** It begins with zeros, and is not a package of the ledger itself. */
const PADDED = `0x00${'a'.repeat(62)}`;
const DIGEST = '1'.repeat(32);
const reference = { objectId: address('1'), version: '9007199254740991', digest: DIGEST };
const pure = (...bytes: number[]) => ({ Pure: { bytes: Buffer.from(bytes).toString('base64') } });
const U64 = [1, 0, 0, 0, 0, 0, 0, 0];

function show(inputs: Program['inputs'], commands: Program['commands']) {
  const gasData = { payment: [reference], owner: address('2'), price: '3', budget: '4' };
  const V1 = {
    kind: { ProgrammableTransaction: { inputs, commands } },
    sender: address('5'),
    gasData,
    expiration: { Epoch: 7 },
  } as Data;
  return showTransactionData(bcs.TransactionData.serialize({ V1 }).toBytes());
}

describe('the data of a transaction', () => {
  it('names sender and gas', () => {
    expect(show([], [])).toEqual({
      messageVersion: 'v1',
      transaction: { kind: 'ProgrammableTransaction', inputs: [], transactions: [] },
      sender: address('5'),
      gasData: {
        payment: [{ ...reference, version: 9007199254740991 }],
        owner: address('2'),
        price: '3',
        budget: '4',
      },
    });
  });

  it('shows every command with every kind of argument', () => {
    const shared = { objectId: address('6'), initialSharedVersion: '8', mutable: false };
    const inputs = [
      { Object: { ImmOrOwnedObject: reference } },
      { Object: { SharedObject: shared } },
      { Object: { Receiving: reference } },
    ];
    const call = { package: PADDED, module: 'm', function: 'f' };
    const modules = [Buffer.from('m').toString('base64')];
    const types = [`${PADDED}::m::T<u8,0x2::iota::IOTA>`, 'vector<address>'];
    const { transaction } = show(inputs, [
      { MoveCall: { ...call, typeArguments: [], arguments: [] } },
      {
        MoveCall: {
          ...call,
          typeArguments: types,
          arguments: [{ GasCoin: true }, { Input: 1 }, { Result: 2 }, { NestedResult: [3, 4] }],
        },
      },
      { TransferObjects: { objects: [{ Result: 1 }], address: { Input: 0 } } },
      { SplitCoins: { coin: { GasCoin: true }, amounts: [{ Input: 0 }] } },
      { MergeCoins: { destination: { GasCoin: true }, sources: [] } },
      { Publish: { modules, dependencies: [address('7')] } },
      { MakeMoveVec: { type: null, elements: [{ Input: 2 }] } },
      { MakeMoveVec: { type: `${PADDED}::m::T`, elements: [] } },
      {
        Upgrade: {
          modules,
          dependencies: [],
          package: address('8'),
          ticket: { Result: 5 },
        },
      },
    ]);
    const trimmed = `0x${'a'.repeat(62)}::m::T`;
    expect(transaction).toEqual({
      kind: 'ProgrammableTransaction',
      inputs: [
        { type: 'object', objectType: 'immOrOwnedObject', ...reference },
        { type: 'object', objectType: 'sharedObject', ...shared },
        { type: 'object', objectType: 'receiving', ...reference },
      ],
      transactions: [
        { MoveCall: call },
        {
          MoveCall: {
            ...call,
            type_arguments: [`${trimmed}<u8, 0x2::iota::IOTA>`, 'vector<address>'],
            arguments: ['GasCoin', { Input: 1 }, { Result: 2 }, { NestedResult: [3, 4] }],
          },
        },
        { TransferObjects: [[{ Result: 1 }], { Input: 0 }] },
        { SplitCoins: ['GasCoin', [{ Input: 0 }]] },
        { MergeCoins: ['GasCoin', []] },
        { Publish: [address('7')] },
        { MakeMoveVec: [null, [{ Input: 2 }]] },
        { MakeMoveVec: [trimmed, []] },
        { Upgrade: [[], address('8'), { Result: 5 }] },
      ],
    });
  });

  it('decodes pure inputs that the ledger’s own commands use', () => {
    const bytes = Array<number>(32).fill(0xbb);
    const { transaction } = show(
      [pure(...U64), pure(...bytes), pure(...U64), pure(7)],
      [
        { SplitCoins: { coin: { GasCoin: true }, amounts: [{ Input: 0 }, { Input: 3 }] } },
        { TransferObjects: { objects: [], address: { Input: 1 } } },
      ],
    );
    expect((transaction as { inputs: unknown }).inputs).toEqual([
      { type: 'pure', valueType: 'u64', value: '1' },
      { type: 'pure', valueType: 'address', value: address('b') },
      { type: 'pure', valueType: null, value: U64 },
      { type: 'pure', valueType: 'u64', value: [7] },
    ]);
  });

  it('is that of the ledger itself: the kind, with its contents where they are known', () => {
    const contents = (...bytes: number[]) =>
      showTransactionData(Uint8Array.of(0, ...bytes))['transaction'];
    const epoch = Array<number>(8).fill(0);
    expect(contents(1, 0, 0)).toEqual({ kind: 'Genesis' });
    expect(contents(5, ...U64, ...U64, 2, 8, 9)).toEqual({
      kind: 'RandomnessStateUpdate',
      epoch: '1',
      randomness_round: '1',
      random_bytes: [8, 9],
    });
    const sums = [...U64, ...epoch, ...U64, ...U64, ...U64, ...U64, ...U64];
    expect(contents(4, 1, 0, ...sums, 1, ...U64, 0, 0)).toEqual({
      kind: 'EndOfEpochTransaction',
      transactions: [
        {
          ChangeEpoch: {
            epoch: '1',
            storage_charge: '1',
            computation_charge: '1',
            storage_rebate: '1',
            epoch_start_timestamp_ms: '1',
          },
        },
      ],
    });
    expect(contents(4, 1, 9)).toEqual({ kind: 'EndOfEpochTransaction' });
    expect(contents(9)).toEqual({ kind: 'Other' });
    const digest = [32, ...Array<number>(32).fill(0)];
    expect(contents(2, ...U64, ...U64, 0, ...U64, ...digest, 0, 1, ...digest, 0)).toEqual({
      kind: 'ConsensusCommitPrologueV1',
      epoch: '1',
      round: '1',
      sub_dag_index: null,
      commit_timestamp_ms: '1',
      consensus_commit_digest: DIGEST,
      consensus_determined_version_assignments: { CancelledTransactions: [[DIGEST, []]] },
    });
  });

  it('is refused for bytes that are not a transaction', () => {
    expect(() => showTransactionData(Uint8Array.of(1, 0))).toThrow('TransactionData');
    expect(() => showTransactionData(Uint8Array.of(0, 0, 1, 2))).toThrow('CallArg');
    expect(() => showTransactionData(new Uint8Array())).toThrow('truncated');
  });
});
