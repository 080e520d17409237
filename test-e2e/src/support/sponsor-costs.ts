import { COIN_STORAGE_COST } from '@forecourt/ledger';
import type { IotaClient, IotaTransactionBlockResponse } from '@iota/iota-sdk/client';
import { netGas } from './net-gas.js';

/**
 * The sponsors' costs according to the ledger, in the smallest unit, with the deposits of coins taken into
 * account.
 */
export interface SponsorCosts {
  /** Transactions of users. */
  readonly users: bigint;
  readonly userTransactions: number;
  /** The sponsors' own splits and consolidations, and the transactions that end quarantines. */
  readonly maintenance: bigint;
  readonly maintenanceTransactions: number;
}

/** Sums up the ledger's history. Transactions before `first` are left out; absent: none. */
export async function readSponsorCosts(
  ledger: IotaClient,
  sponsors: readonly string[],
  first: string | null = null,
): Promise<SponsorCosts> {
  const costs = { users: 0n, userTransactions: 0, maintenance: 0n, maintenanceTransactions: 0 };
  let cursor = first;
  for (;;) {
    const page = await ledger.queryTransactionBlocks({
      cursor,
      order: 'ascending',
      options: { showEffects: true, showInput: true },
    });
    for (const transaction of page.data) {
      const { sender, gasData } = transaction.transaction!.data;
      const sponsor = gasData.owner;
      if (!sponsors.includes(sponsor)) continue;
      if (sender === sponsor) {
        costs.maintenance += costOf(transaction, sponsor);
        costs.maintenanceTransactions += 1;
      } else {
        costs.users += costOf(transaction, sponsor);
        costs.userTransactions += 1;
      }
    }
    cursor = page.nextCursor ?? cursor;
    if (!page.hasNextPage) return costs;
  }
}

/** The newest transaction, after which later ones count. */
export async function newestTransaction(ledger: IotaClient): Promise<string | null> {
  const page = await ledger.queryTransactionBlocks({ order: 'descending', limit: 1 });
  return page.data[0]?.digest ?? null;
}

function costOf({ effects, transaction }: IotaTransactionBlockResponse, sponsor: string): bigint {
  const { payment } = transaction!.data.gasData;
  const made = (effects!.created ?? []).filter(
    ({ owner }) =>
      typeof owner === 'object' && 'AddressOwner' in owner && owner.AddressOwner === sponsor,
  );
  // All payment coins except the first are gone.
  return netGas(effects!) + BigInt(payment.length - 1 - made.length) * COIN_STORAGE_COST;
}
