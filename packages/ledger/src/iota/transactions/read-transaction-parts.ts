import type { IotaClient, IotaTransactionBlockResponseOptions } from '@iota/iota-sdk/client';
import type { TransactionPart } from '../../ledger-reader.js';
import { isNotFound } from './find-transaction.js';
import { NodeAnswer } from '../nodes/node-answer.js';

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
    const answer = await NodeAnswer.to('iota_getTransactionBlock', () =>
      client.getTransactionBlock({ digest, options }),
    );
    const fieldOf = (part: TransactionPart) => (part === 'input' ? 'transaction' : part);
    return Object.fromEntries(parts.map((part) => [part, answer.field(fieldOf(part)).raw ?? null]));
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
