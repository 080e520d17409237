import { NodeRefused } from '../call-node.js';
import type { IndexedNode } from './index-reader.js';
import { locateTransactions } from './locate-transactions.js';
import { createTransactionIndex } from './node-index.js';

/** Pages of transactions that are executed and not sealed yet. */
const MAX_UNSEALED_PAGES = 10;

/**
 * Number of the newest checkpoint up to which the node's index counts as complete; -1 if there is none. An index may
 * lag behind the checkpoints, and its newest entries are in the order in which the node happened to execute them, so
 * the checkpoints of the newest page are read one by one instead. A node without an index has no settled checkpoint.
 */
export async function findSettled(node: IndexedNode): Promise<number> {
  const lowest = await node.checkpoints.lowest();
  const index = createTransactionIndex(node.call, null);
  try {
    let page = await index.page(null, true);
    for (let pages = 1; page.next !== null && pages <= MAX_UNSEALED_PAGES; pages++) {
      const located = await locateTransactions(node, page.digests);
      const numbers = located.map(({ checkpoint }) => checkpoint);
      if (numbers.length > 0) return Math.max(Math.min(...numbers), lowest) - 1;
      page = await index.page(page.next, true);
    }
  } catch (error) {
    if (!(error instanceof NodeRefused)) throw error;
  }
  return -1;
}
