import type { IotaClient } from '@iota/iota-sdk/client';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { TransactionEffects } from '../../transaction-effects.js';
import { listCoinPages } from './gas-coins.js';
import { findTransaction } from '../transactions/find-transaction.js';

/** The search reads no more pages of coins than this. */
const MAX_PAGES = 2;

/** See `Ledger.hasPaidForGas`. */
export async function hasPaidForGas(client: IotaClient, owner: string): Promise<boolean> {
  let pages = 0;
  for await (const { coins, isLast } of listCoinPages(client, owner)) {
    const digests = coins.map((coin) => coin.field('previousTransaction').text());
    if (await isOneOfThemPaidBy(client, [...new Set(digests)], owner)) return true;
    pages += 1;
    if (!isLast && pages === MAX_PAGES) return true;
  }
  return false;
}

/**
 * A transaction that the node has pruned or never had counts as paid by others: it is not in
 * flight.
 */
async function isOneOfThemPaidBy(
  client: IotaClient,
  digests: readonly string[],
  owner: string,
): Promise<boolean> {
  for (const digest of digests) {
    const found = await findTransaction(client, digest);
    if (found !== null && isOwnedBy(found.effects.gasObject.owner, owner)) return true;
  }
  return false;
}

function isOwnedBy(gasOwner: TransactionEffects['gasObject']['owner'], owner: string): boolean {
  if (typeof gasOwner !== 'object' || gasOwner === null || !('AddressOwner' in gasOwner)) {
    return false;
  }
  return normalizeIotaAddress(String(gasOwner.AddressOwner)) === owner;
}
