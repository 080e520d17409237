import { describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import { abort } from '../../engine/execution-values.js';
import { encodeStatus } from './encode-status.js';

const PACKAGE = `0x${'ab'.repeat(32)}`;
const ABORT = abort(
  { packageId: PACKAGE, module: 'garage', functionName: 'paint', functionIndex: 3 },
  7n,
).message;

describe('the BCS of an execution status', () => {
  it.each([
    ['InsufficientGas', { InsufficientGas: true }, null],
    ['InsufficientCoinBalance in command 1', { InsufficientCoinBalance: true }, '1'],
    ['FunctionNotFound in command 0', { FunctionNotFound: true }, '0'],
    [
      'CommandArgumentError { arg_idx: 2, kind: TypeMismatch } in command 0',
      { CommandArgumentError: { argIdx: 2, kind: { TypeMismatch: true } } },
      '0',
    ],
    [
      'CommandArgumentError { arg_idx: 0, kind: SecondaryIndexOutOfBounds { result_idx: 1, secondary_idx: 4 } } in command 5',
      {
        CommandArgumentError: {
          argIdx: 0,
          kind: { SecondaryIndexOutOfBounds: { resultIdx: 1, secondaryIdx: 4 } },
        },
      },
      '5',
    ],
    [
      'UnusedValueWithoutDrop { result_idx: 0, secondary_idx: 1 }',
      { UnusedValueWithoutDrop: { resultIdx: 0, secondaryIdx: 1 } },
      null,
    ],
    [
      `PackageUpgradeError { upgrade_error: PackageIDDoesNotMatch { package_id: ${PACKAGE}, ticket_id: ${PACKAGE} } } in command 0`,
      {
        PackageUpgradeError: {
          upgradeError: { PackageIDDoesNotMatch: { packageId: PACKAGE, ticketId: PACKAGE } },
        },
      },
      '0',
    ],
    [
      `${ABORT} in command 2`,
      {
        MoveAbort: [
          {
            module: { address: PACKAGE, name: 'garage' },
            function: 3,
            instruction: 0,
            functionName: 'paint',
          },
          '7',
        ],
      },
      '2',
    ],
  ])('%s', (text, error, command) => {
    expect(readBack({ status: 'failure', error: text })).toMatchObject({
      Failed: { error, command },
    });
  });

  it('is a general failure for a text in no format of nodes', () => {
    expect(readBack({ status: 'failure', error: 'it broke!' })).toMatchObject({
      Failed: { error: { InvariantViolation: true } },
    });
  });
});

function readBack(status: Parameters<typeof encodeStatus>[0]) {
  const zero = '1'.repeat(32);
  const gas = {
    computationCost: 0,
    computationCostBurned: 0,
    storageCost: 0,
    storageRebate: 0,
    nonRefundableStorageFee: 0,
  };
  const bytes = bcs.TransactionEffects.serialize({
    V1: {
      status: encodeStatus(status),
      executedEpoch: 0,
      gasUsed: gas,
      transactionDigest: zero,
      gasObjectIndex: null,
      eventsDigest: null,
      dependencies: [],
      lamportVersion: 1,
      changedObjects: [],
      unchangedSharedObjects: [],
      auxDataDigest: null,
    },
  }).toBytes();
  return bcs.TransactionEffects.parse(bytes).V1.status;
}
