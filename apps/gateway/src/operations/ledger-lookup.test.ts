import { describe, expect, it } from '@jest/globals';
import { LedgerLookup } from './ledger-lookup.js';

const SPONSOR = `0x${'5'.repeat(64)}`;
const effects = {
  status: { status: 'failure', error: 'MoveAbort' },
  executedEpoch: '71',
  gasUsed: { computationCost: '10', storageCost: '5', storageRebate: '3' },
  gasObject: { owner: { AddressOwner: SPONSOR } },
};
const away = () => Promise.reject(new Error('connect ECONNREFUSED'));

/** `parts`: what the node that serves reads shows of it. */
const find = (findTransaction: () => Promise<unknown>, parts: () => Promise<unknown> = away) =>
  new LedgerLookup({
    findTransaction,
    readTransactionParts: parts,
    status: away,
  } as never);

describe('what the ledger knows of a transaction', () => {
  it('is its outcome, its cost and its parties', async () => {
    const input = { data: { sender: '0x1', gasData: { owner: '0x2' } } };
    const found = await find(
      async () => ({ effects }),
      async () => ({ input }),
    ).find('D');
    const outcome = { status: 'failure', error: 'MoveAbort', epoch: '71', gas_charged: '12' };
    expect(found).toEqual({ ...outcome, sender: '0x1', gas_owner: '0x2' });
  });

  it('lacks the sender when no node shows it, and names the owner of the gas coin', async () => {
    const succeeded = { ...effects, status: { status: 'success' } };
    expect(await find(async () => ({ effects: succeeded })).find('D')).toMatchObject({
      error: null,
      sender: null,
      gas_owner: SPONSOR,
    });
    const shared = { ...effects, gasObject: { owner: 'Immutable' } };
    expect(await find(async () => ({ effects: shared })).find('D')).toMatchObject({
      gas_owner: null,
    });
  });

  it('is nothing for an unknown digest, and not known while no node answers', async () => {
    expect(await find(async () => null).find('D')).toBeNull();
    expect(await find(away).find('D')).toBe('unreachable');
    expect(await find(away).epoch()).toBeNull();
  });
});
