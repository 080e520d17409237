import type { CallNode } from '../call-node.js';
import { isNotFound, isUnreadable } from '../classify-refusal.js';
import type { NodeTransaction } from './node-json.js';

/** The parts of a transaction to request from a node. */
const SHOWN = { showInput: true, showEffects: true, showEvents: true, showObjectChanges: true };

/** A transaction that the node does not return. */
export interface Unreadable {
  readonly reason: string;
  /** The node reports that it does not have it. */
  readonly isNotFound: boolean;
}

export type FetchedTransaction = NodeTransaction | Unreadable;

/**
 * The node's transactions by digest, with all parts that it can show. A node refuses a whole page because of one
 * transaction that it cannot show: the page is halved, down to that one. Transactions after the first such one may be
 * left out, since events are used in order.
 */
export async function fetchTransactions(
  call: CallNode,
  digests: readonly string[],
): Promise<Map<string, FetchedTransaction>> {
  try {
    const page = await call<readonly (NodeTransaction | null)[] | null>(
      'iota_multiGetTransactionBlocks',
      [digests, SHOWN],
    );
    const shown = (page ?? []).filter((one) => one !== null);
    return new Map(shown.map((one) => [one.digest, one]));
  } catch (error) {
    if (!isNotFound(error) && !isUnreadable(error)) throw error;
    const [digest] = digests;
    if (digests.length === 1) {
      return new Map([[digest!, { reason: error.message, isNotFound: isNotFound(error) }]]);
    }
    const middle = Math.ceil(digests.length / 2);
    const found = await fetchTransactions(call, digests.slice(0, middle));
    if ([...found.values()].some((one) => 'reason' in one)) return found;
    return new Map([...found, ...(await fetchTransactions(call, digests.slice(middle)))]);
  }
}
