import type { ExecutedTransaction } from '../../engine/engine-interface.js';
import { TransactionNotFound } from '../../node/not-found.js';
import type { LedgerView } from '../../views/ledger-view.js';
import type { TransactionPredicate } from './read-transaction-filter.js';

const PAGE = 500;

export interface Scan {
  readonly matches: TransactionPredicate;
  /** The transaction to start after; null: at the beginning of the direction. */
  readonly after: ExecutedTransaction | null;
  readonly descending: boolean;
  readonly wanted: number;
}

/** The first matching transactions in the ledger's order. */
export function scanLedgerOrder(view: LedgerView, scan: Scan): ExecutedTransaction[] {
  const { matches, descending, wanted } = scan;
  const found: ExecutedTransaction[] = [];
  let after = scan.after?.sequence;
  for (;;) {
    const page = view.listTransactions({
      limit: PAGE,
      descending,
      ...(after !== undefined && { after }),
    });
    for (const transaction of page) {
      if (matches(transaction)) found.push(transaction);
      if (found.length === wanted) return found;
    }
    after = page.at(-1)?.sequence;
    if (page.length < PAGE || after === undefined) return found;
  }
}

/** The same in the order of the node's index. Throws `TransactionNotFound` for a start that is not in it yet. */
export function scanNodeOrder(
  view: LedgerView,
  sequences: readonly number[],
  { matches, after, descending, wanted }: Scan,
): ExecutedTransaction[] {
  const found: ExecutedTransaction[] = [];
  const step = descending ? -1 : 1;
  const start = startOf(sequences, after, descending);
  for (let at = start; found.length < wanted; at += step) {
    const sequence = sequences[at];
    if (sequence === undefined) break;
    const [transaction] = view.listTransactions({ after: sequence - 1, limit: 1 });
    const isShown = transaction?.sequence === sequence;
    if (isShown && matches(transaction)) found.push(transaction);
  }
  return found;
}

function startOf(
  sequences: readonly number[],
  after: ExecutedTransaction | null,
  descending: boolean,
): number {
  if (after === null) return descending ? sequences.length - 1 : 0;
  const before = sequences.indexOf(after.sequence);
  if (before < 0) throw new TransactionNotFound(after.digest);
  return before + (descending ? -1 : 1);
}
