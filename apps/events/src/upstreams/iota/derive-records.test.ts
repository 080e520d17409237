import { describe, expect, it } from '@jest/globals';
import { canonicalAddress } from '@forecourt/contracts';
import type { NodeCheckpoint } from '@forecourt/ledger';
import { type CompleteTransaction, deriveRecords } from './derive-records.js';
import { digestOf } from './realistic-node.test-support.js';

const full = (address: string) => canonicalAddress(address);
const digest = digestOf(1);
const checkpoint: NodeCheckpoint = {
  sequenceNumber: '1',
  digest,
  epoch: '0',
  timestampMs: '1',
  networkTotalTransactions: '2',
  transactions: [digest],
};

/** The origin of an object of a type that a transaction with these calls makes. */
function originOf(objectType: string, ...calls: readonly string[]): string {
  const transactions = calls.map((call) => {
    const [address, module] = call.split('::') as [string, string];
    return { MoveCall: { package: address, module } };
  });
  const created = {
    type: 'created',
    owner: 'Immutable',
    objectType,
    objectId: '0xcafe',
    version: '2',
  };
  const [record] = deriveRecords(
    {
      digest,
      transaction: {
        data: {
          sender: '0x1',
          gasData: { owner: '0x1', payment: [] },
          transaction: { transactions },
        },
      },
      effects: {},
      events: [],
      objectChanges: [created],
    } as unknown as CompleteTransaction,
    checkpoint,
  );
  const { newObject } = record!.event as {
    newObject: { packageId: string; transactionModule: string };
  };
  return `${newObject.packageId}::${newObject.transactionModule}`;
}

describe('a new object', () => {
  it.each([
    [
      'its type, though another module was called before',
      '0xa::garage::Car',
      ['0x2::clock', '0xa::garage'],
      '0xa::garage',
    ],
    [
      'its type, though only another module was called',
      '0xa::garage::Car',
      ['0xb::shop'],
      '0xa::garage',
    ],
    [
      'its generic type',
      '0xa::garage::Box<0xb::shop::Thing>',
      ['0xb::shop', '0x2::clock'],
      '0xa::garage',
    ],
    [
      'the first call, if the framework declares its type',
      '0x2::coin::Coin<0x2::iota::IOTA>',
      ['0xb::shop'],
      '0xb::shop',
    ],
    ['no call', '0x2::coin::Coin<0x2::iota::IOTA>', [], '0x2::native'],
  ])('is of the module of %s', (_what, type, calls, expected) => {
    const [address, module] = expected.split('::') as [string, string];
    expect(originOf(type, ...calls)).toBe(`${full(address)}::${module}`);
  });
});
