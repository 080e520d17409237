import { type IotaClient, JsonRpcError } from '@iota/iota-sdk/client';
import type { FinalTransaction } from '../../ledger-reader.js';
import { NodeAnswer } from '../nodes/node-answer.js';
import { readEffects } from './read-effects.js';

/**
 * Codes for a transaction that the node does not find: invalid parameters until August 2026, a
 * dedicated code since, an internal error behind an indexer.
 */
const NOT_FOUND_CODES: ReadonlySet<number> = new Set([-32602, -32003, -32603]);
const NOT_FOUND = /could not find the referenced transaction|not found/i;

/** See `Ledger.findTransaction`. Throws `NodeFailure` for a malformed response. */
export async function findTransaction(
  client: IotaClient,
  digest: string,
): Promise<FinalTransaction | null> {
  try {
    const answer = await NodeAnswer.to('iota_getTransactionBlock', () =>
      client.getTransactionBlock({ digest, options: { showEffects: true } }),
    );
    const effects = answer.field('effects');
    return effects.isAbsent ? null : { digest, effects: readEffects(effects) };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Whether the error states that the node does not know the transaction. */
export function isNotFound(error: unknown): boolean {
  if (!(error instanceof JsonRpcError)) return false;
  return NOT_FOUND_CODES.has(error.code) && NOT_FOUND.test(error.message);
}
