import type { IotaClient } from '@iota/iota-sdk/client';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { TransactionEffects } from '../transaction-effects.js';
import { findTransaction } from './find-transaction.js';

/** More pages of coins are not looked at. */
const MAX_PAGES = 2;

/** See `Ledger.hasPaidForGas`. */
export async function hasPaidForGas(client: IotaClient, owner: string): Promise<boolean> {
  let cursor: string | null | undefined = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await client.getCoins({ owner, cursor });
    const digests = [...new Set(page.data.map(({ previousTransaction }) => previousTransaction))];
    if (await isOneOfThemPaidBy(client, digests, owner)) return true;
    if (!page.hasNextPage || !page.nextCursor) return false;
    cursor = page.nextCursor;
  }
  return true;
}

/** Transactions that the node has pruned, or never had, count as paid by others: they are not in flight. */
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
