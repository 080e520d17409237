import type { Checkpoints } from './checkpoints.js';
import type { SearchedRange } from './find-range.js';
import type { TransactionRecords, Transactions } from './transactions.js';
import type { Walk } from './walk.js';

/**
 * The events of every transaction in the range, or of the last in every checkpoint. Throws `UpstreamLacks` at the first
 * that the node does not have, after all earlier ones.
 */
export async function* scanCheckpoints(
  { checkpoints, transactions }: { checkpoints: Checkpoints; transactions: Transactions },
  range: SearchedRange,
  { onlyLast = false, walk }: { readonly onlyLast?: boolean; readonly walk?: Walk } = {},
): AsyncGenerator<readonly TransactionRecords[]> {
  for await (const page of checkpoints.range(range)) {
    const { records, failure } = await transactions.inCheckpoints(page, { ...range, onlyLast });
    walk?.advance(page.length);
    yield records;
    if (failure) throw failure;
  }
}
