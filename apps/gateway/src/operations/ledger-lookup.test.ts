import { describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import { type FinalTransaction, LedgerUnreachable, NodeFailure } from '@forecourt/ledger';
import { LedgerLookup } from './ledger-lookup.js';

const SPONSOR = `0x${'5'.repeat(64)}`;
const digest = '8Qq3Vb6pA2L7o1d8b9nZ4mX5cY6tR7wE8sU9iK1jHgFd';
const effects: FinalTransaction['effects'] = {
  messageVersion: 'v1',
  transactionDigest: digest,
  status: { status: 'failure', error: 'MoveAbort' },
  executedEpoch: '71',
  gasUsed: {
    computationCost: '10',
    computationCostBurned: '10',
    storageCost: '5',
    storageRebate: '3',
    nonRefundableStorageFee: '0',
  },
  gasObject: {
    owner: { AddressOwner: SPONSOR },
    reference: { objectId: '0x7', version: 3, digest },
  },
};
const away = () => Promise.reject(new Error('connect ECONNREFUSED'));

/** `readTransactionParts`: the parts that the node which serves reads shows. */
const lookupWith = (
  found: FinalTransaction['effects'] | null | Error,
  readTransactionParts: () => Promise<{ input?: unknown }> = away,
) => {
  const findTransaction = async () => {
    if (found instanceof Error) throw found;
    return found && { digest, effects: found };
  };
  return new LedgerLookup(partial({ findTransaction, readTransactionParts, status: away }));
};

describe('the ledger’s record of a transaction', () => {
  it('has its outcome, its cost and its parties', async () => {
    const input = { data: { sender: '0x1', gasData: { owner: '0x2' } } };
    const found = await lookupWith(effects, async () => ({ input })).find('D');
    const outcome = { status: 'failure', error: 'MoveAbort', epoch: '71', gas_charged: '12' };
    expect(found).toEqual({ ...outcome, sender: '0x1', gas_owner: '0x2' });
  });

  it('lacks the sender when no node shows it, and names the owner of the gas coin', async () => {
    const succeeded = { ...effects, status: { status: 'success' } } as const;
    expect(await lookupWith(succeeded).find('D')).toMatchObject({
      error: null,
      sender: null,
      gas_owner: SPONSOR,
    });
    const gasObject = { ...effects.gasObject, owner: 'Immutable' } as const;
    const shared = { ...effects, gasObject };
    expect(await lookupWith(shared).find('D')).toMatchObject({
      gas_owner: null,
    });
  });

  it('is null for an unknown digest, and unreachable while no node answers', async () => {
    expect(await lookupWith(null).find('D')).toBeNull();
    const refused = new LedgerUnreachable('connect ECONNREFUSED');
    expect(await lookupWith(refused).find('D')).toBe('unreachable');
    expect(await lookupWith(refused).epoch()).toBeNull();
  });

  it('is invalid when a node answers, and its answer cannot be used', async () => {
    const invalid = new NodeFailure('malformed', { mayBeProcessed: true, isInvalid: true });
    const cause = new NodeFailure('silence', { mayBeProcessed: true });
    for (const [failure, outcome] of [
      [invalid, 'invalid'],
      [new LedgerUnreachable('no answer', { cause: invalid }), 'invalid'],
      [new LedgerUnreachable('no answer', { cause }), 'unreachable'],
    ] as const) {
      expect(await lookupWith(failure).find('D')).toBe(outcome);
    }
  });
});
