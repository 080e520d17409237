import { type IotaClient, JsonRpcError } from '@iota/iota-sdk/client';
import type { FinalTransaction } from '../ledger.js';
import type { TransactionEffects } from '../transaction-effects.js';
import { read } from './node-client.js';

const NOT_FOUND = /could not find the referenced transaction|not found/i;

/** See `Ledger.findTransaction`. */
export async function findTransaction(
  client: IotaClient,
  digest: string,
): Promise<FinalTransaction | null> {
  try {
    const { effects } = await read(
      client.getTransactionBlock({ digest, options: { showEffects: true } }),
    );
    return effects ? { digest, effects: effects as unknown as TransactionEffects } : null;
  } catch (error) {
    if (error instanceof JsonRpcError && NOT_FOUND.test(error.message)) return null;
    throw error;
  }
}
