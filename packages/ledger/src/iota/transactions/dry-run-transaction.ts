import { JsonRpcError } from '@iota/iota-sdk/client';
import type { DryRun } from '../../ledger.js';
import { kindOfText } from '../nodes/classify-refusal.js';
import type { NodeClient } from '../client/node-client.js';
import type { DecodedTransaction } from '../../decoded-transaction.js';

/**
 * Codes by which nodes report a fault of the transaction: invalid request, invalid parameters, client error.
 */
const CLIENT_ERRORS: ReadonlySet<number> = new Set([-32600, -32602, -32002]);
/** Nodes put one of these prefixes before a fault of inputs, with any code. */
const ABOUT_INPUTS = /issues with transaction inputs|error checking transaction input objects/i;

/**
 * Nodes of 2025 print the error's name and fields instead of its text; these two need more than the
 * code and the prefix.
 */
const DEBUG_NAMES: readonly (readonly [RegExp, 'missing' | 'refused'])[] = [
  [/\bObjectNotFound \{/, 'missing'],
  [/\bPackageVerificationTimedout \{/, 'refused'],
];
/** Validators refuse such a transaction permanently; a node that lags also reports it for a new package. */
const ABSENT_PACKAGE = /dependent ?package ?not ?found/i;

/** See `Ledger.dryRun`. */
export async function dryRunTransaction(
  client: Pick<NodeClient, 'dryRun'>,
  transaction: DecodedTransaction,
): Promise<DryRun> {
  try {
    return { kind: 'accepted', simulated: await client.dryRun(transaction.bytes) };
  } catch (error) {
    // Other errors are passed on unchanged.
    if (error instanceof JsonRpcError) return judge(error, transaction);
    throw error;
  }
}

function judge({ code, message }: JsonRpcError, { gasPayment }: DecodedTransaction): DryRun {
  // The coins are the sponsor's, at the pool's versions: the node lags behind, or the pool does.
  const isOverGas = gasPayment.some(({ objectId }) => message.includes(objectId));
  const named = DEBUG_NAMES.find(([name]) => name.test(message));
  const kind = named?.[1] ?? kindOfText(message);
  if (kind === 'unknown') return { kind: 'undecided', message };
  if (isOverGas) return { kind: 'behind', message };
  if (kind === 'missing' || ABSENT_PACKAGE.test(message)) return { kind: 'missing', message };
  const isOverTransaction = kind !== null || CLIENT_ERRORS.has(code) || ABOUT_INPUTS.test(message);
  return { kind: isOverTransaction ? 'refused' : 'undecided', message };
}
