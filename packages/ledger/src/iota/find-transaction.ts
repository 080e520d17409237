import { type IotaClient, JsonRpcError } from '@iota/iota-sdk/client';
import type { FinalTransaction } from '../ledger.js';
import type { TransactionEffects } from '../transaction-effects.js';

/**
 * Codes of what a node does not find: invalid parameters until August 2026, a code of its own since, an internal error
 * behind an indexer.
 */
const NOT_FOUND_CODES: ReadonlySet<number> = new Set([-32602, -32003, -32603]);
const NOT_FOUND = /could not find the referenced transaction|not found/i;

/** See `Ledger.findTransaction`. */
export async function findTransaction(
  client: IotaClient,
  digest: string,
): Promise<FinalTransaction | null> {
  try {
    const { effects } = await client.getTransactionBlock({
      digest,
      options: { showEffects: true },
    });
    return effects ? { digest, effects: effects as unknown as TransactionEffects } : null;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Whether a node says that it does not know the transaction. */
export function isNotFound(error: unknown): boolean {
  if (!(error instanceof JsonRpcError)) return false;
  return NOT_FOUND_CODES.has(error.code) && NOT_FOUND.test(error.message);
}
