import type { ExecutedTransaction } from '../../engine/engine-interface.js';
import { optional, readDigest, readLimit, readObject } from '../../json-rpc/read-params.js';
import type { LedgerView } from '../../views/ledger-view.js';
import type { RpcMethod } from '../rpc-method.js';
import { findTransaction } from './get-transaction-block.js';
import { readTransactionFilter, type TransactionPredicate } from './read-transaction-filter.js';
import { readTransactionOptions } from './read-transaction-options.js';
import { showTransactionRead } from './show-transaction.js';

const SCAN = 500;

export const queryTransactionBlocks: RpcMethod = {
  name: 'iotax_queryTransactionBlocks',
  params: ['query', 'cursor', 'limit', 'descending_order'],
  summary: 'Executed transactions that match a filter, page by page in ledger order.',
  run({ engine, view }, [query, cursor, limit, descending]) {
    const { filter, options } = optional(query, 'query', readObject) ?? {};
    const matches = optional(filter, 'filter', readTransactionFilter) ?? (() => true);
    const shown = readTransactionOptions(options);
    const count = readLimit(limit, 50);
    const from = optional(cursor, 'cursor', readDigest);
    const after = from === null ? undefined : findTransaction(view, from).sequence;
    const found = scan(view, matches, after, descending === true, count + 1);
    const data = found.slice(0, count);
    return {
      data: data.map((transaction) => showTransactionRead(engine, transaction, shown)),
      nextCursor: data.at(-1)?.digest ?? null,
      hasNextPage: found.length > count,
    };
  },
};

function scan(
  view: LedgerView,
  matches: TransactionPredicate,
  start: number | undefined,
  descending: boolean,
  wanted: number,
): ExecutedTransaction[] {
  const found: ExecutedTransaction[] = [];
  let after = start;
  for (;;) {
    const page = view.listTransactions({
      limit: SCAN,
      descending,
      ...(after !== undefined && { after }),
    });
    for (const transaction of page) {
      if (matches(transaction)) found.push(transaction);
      if (found.length === wanted) return found;
    }
    after = page.at(-1)?.sequence;
    if (page.length < SCAN || after === undefined) return found;
  }
}
