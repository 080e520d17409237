import { describe, expect, it } from '@jest/globals';
import { JsonRpcError } from '@forecourt/contracts';
import { refuse } from '../engine/engine-error.js';
import { LockConflict } from '../engine/lock-conflict.js';
import { refuseBytes, refuseInputs } from '../engine/inputs-refused.js';
import { inputFaults } from '../engine/input-fault.js';
import { type NodeProfile, SOFT_LOCK_MS, NO_LAG } from './node-profile.js';
import { presentError } from './present-error.js';
import { TransactionNotFound } from './transaction-not-found.js';

const EXECUTE = 'iota_executeTransactionBlock';
const OF_2025: NodeProfile = {
  lagMs: NO_LAG,
  version: '2025',
  behindIndexer: false,
  missingIsTransient: false,
  certificateless: false,
  softLockMs: SOFT_LOCK_MS,
  requiredHeaders: {},
  unsupportedFilters: [],
};
const OF_2026: NodeProfile = { ...OF_2025, version: '2026' };
const CERTIFICATELESS: NodeProfile = { ...OF_2026, certificateless: true };
const missing = { text: 'Dependent package not found on-chain: 0x9', missing: true };
const stale = { text: 'one', recentText: 'two', debug: 'Three { a: 1 }', missing: false };
const reference = { objectId: '0x7', version: 5, digest: 'D' };

function present(error: unknown, profile: NodeProfile, method = EXECUTE) {
  const presented = presentError(error, method, profile);
  if (!(presented instanceof JsonRpcError)) throw new Error('it is not a JSON-RPC error');
  const { code, message, data } = presented;
  return { code, message, data };
}

describe('presentError', () => {
  it('gives a transaction that is not found -32602 before August 2026, -32003 since, -32603 behind an indexer', () => {
    const error = new TransactionNotFound('D');
    const codes = [OF_2025, OF_2026, { ...OF_2026, behindIndexer: true }].map(
      (profile) => present(error, profile, 'iota_getTransactionBlock').code,
    );
    expect(codes).toEqual([-32602, -32003, -32603]);
  });

  it.each([
    ['2022', ' one.', 'Three { a: 1 }'],
    ['2025', ' one.', 'Three { a: 1 }'],
    ['2026', '\n- two', 'two'],
  ] as const)('words a fault of inputs as in %s', (version, text, inDryRun) => {
    const profile = { ...OF_2025, version };
    expect(present(refuseInputs(stale), profile)).toMatchObject({
      code: -32002,
      message: `Transaction execution failed due to issues with transaction inputs, please review the errors and try again:${text}`,
    });
    expect(present(refuseInputs(stale), profile, 'iota_dryRunTransactionBlock')).toEqual({
      code: -32602,
      message: `Error checking transaction input objects: ${inDryRun}`,
      data: undefined,
    });
  });

  it('puts the fault of a parameter into the data', () => {
    const error = new JsonRpcError(-32602, 'Invalid params: owner: expected a hex address');
    expect(present(error, OF_2025, 'iotax_getCoins')).toEqual({
      code: -32602,
      message: 'Invalid params',
      data: 'owner: expected a hex address',
    });
    expect(present(error, OF_2025, 'ledger_getEvents').message).toBe(error.message);
  });

  it('wraps errors of writes behind an indexer in -32603, not those of reads', () => {
    const profile = { ...OF_2025, behindIndexer: true };
    const refused = present(refuseBytes(inputFaults.other('Gas price 1')), profile);
    expect(refused.code).toBe(-32603);
    expect(refused.message).toMatch(/-32002.*execution failed.* Gas price 1\./s);
    const invalid = new JsonRpcError(-32602, 'Invalid params: owner');
    expect(present(invalid, profile, 'iotax_getCoins').code).toBe(-32602);
  });

  it('reports only ObjectNotFound and DependentPackageNotFound as transient', () => {
    const profile = { ...OF_2026, missingIsTransient: true };
    expect(present(refuseInputs(missing), profile)).toMatchObject({
      code: -32050,
      message: expect.stringContaining('Dependent package not found on-chain: 0x9'),
    });
    expect(present(refuseInputs(stale), profile).code).toBe(-32002);
    expect(present(refuseInputs(missing), OF_2026).code).toBe(-32002);
  });

  it('puts conflicting transactions and their objects into the data', () => {
    const error = new LockConflict('reserved', new Map([['Other', [reference]]]));
    for (const profile of [OF_2025, OF_2026]) {
      expect(present(error, profile)).toEqual({
        code: -32002,
        message: 'reserved',
        data: { Other: [['0x7', 5, 'D']] },
      });
    }
  });

  it('adds a reason on networks without certificates', () => {
    const reasonOf = (error: unknown) => present(error, CERTIFICATELESS).data;
    expect(reasonOf(refuseBytes(inputFaults.other('Gas price 1')))).toEqual({
      reason: 'INVALID_TRANSACTION',
    });
    expect(reasonOf(refuse('Invalid user signature: none'))).toEqual({
      reason: 'INVALID_USER_SIGNATURE',
    });
    const rejected = { reason: 'REJECTED_BY_VALIDATORS' };
    expect(reasonOf(refuseInputs(stale))).toEqual(rejected);
    expect(reasonOf(new LockConflict('reserved', new Map()))).toEqual(rejected);
    expect(reasonOf(new JsonRpcError(-32050, 'timed out'))).toEqual({
      reason: 'TIMEOUT_BEFORE_FINALITY',
    });
  });

  it('does not add a reason in 2025, and keeps the data of a fault', () => {
    expect(present(refuseInputs(stale), OF_2025).data).toBeUndefined();
    const error = new JsonRpcError(-32002, 'anything', { reason: 'OTHER' });
    expect(present(error, OF_2026).data).toEqual({ reason: 'OTHER' });
  });

  it('leaves errors of other classes unchanged', () => {
    const error = new TypeError('defect');
    expect(presentError(error, EXECUTE, { ...OF_2026, behindIndexer: true })).toBe(error);
  });
});
