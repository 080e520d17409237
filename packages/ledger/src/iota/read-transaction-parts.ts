import type { IotaClient, IotaTransactionBlockResponseOptions } from '@iota/iota-sdk/client';
import type { TransactionPart } from '../ledger.js';
import { isNotFound } from './find-transaction.js';

const OPTION_OF: Readonly<Record<TransactionPart, keyof IotaTransactionBlockResponseOptions>> = {
  events: 'showEvents',
  objectChanges: 'showObjectChanges',
  balanceChanges: 'showBalanceChanges',
  input: 'showInput',
};

/** See `Ledger.readTransactionParts`. */
export async function readTransactionParts(
  client: IotaClient,
  digest: string,
  parts: readonly TransactionPart[],
): Promise<Partial<Record<TransactionPart, unknown>> | null> {
  const options = Object.fromEntries(parts.map((part) => [OPTION_OF[part], true]));
  try {
    const { events, objectChanges, balanceChanges, transaction } = await client.getTransactionBlock(
      { digest, options },
    );
    const shown = { events, objectChanges, balanceChanges, input: transaction };
    return Object.fromEntries(parts.map((part) => [part, shown[part] ?? null]));
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
