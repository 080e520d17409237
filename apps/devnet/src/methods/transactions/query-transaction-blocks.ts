import { optional, readDigest, readLimit, readObject } from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import { findTransaction } from './get-transaction-block.js';
import { readTransactionFilter } from './read-transaction-filter.js';
import { readTransactionOptions } from './read-transaction-options.js';
import { scanLedgerOrder, scanNodeOrder } from './scan-transactions.js';
import { showTransactionRead } from './show-transaction.js';

export const queryTransactionBlocks: RpcMethod = {
  name: 'iotax_queryTransactionBlocks',
  params: ['query', 'cursor', 'limit', 'descending_order'],
  summary:
    'Executed transactions that match a filter, page by page in the order in which the node executed them.',
  run(context, [query, cursor, limit, descending]) {
    const { view, node } = context;
    const { filter, options } = optional(query, 'query', readObject) ?? {};
    const { unsupportedFilters } = context.profile;
    const read = (value: unknown) => readTransactionFilter(value, unsupportedFilters);
    const matches = optional(filter, 'filter', read) ?? (() => true);
    const shown = readTransactionOptions(options);
    // Without options a node returns only digests.
    const asksForMore = Object.values(shown).some((asked) => asked);
    const count = readLimit(limit, 50);
    const from = optional(cursor, 'cursor', readDigest);
    const scan = {
      matches,
      after: from === null ? null : findTransaction(view, from),
      descending: descending === true,
      wanted: count + 1,
    };
    const { sequences } = node.nodeOrder;
    const found =
      sequences === null ? scanLedgerOrder(view, scan) : scanNodeOrder(view, sequences, scan);
    const data = found.slice(0, count);
    return {
      data: asksForMore
        ? data.map((transaction) => showTransactionRead(context, transaction, shown))
        : data.map(({ digest }) => ({ digest })),
      nextCursor: data.at(-1)?.digest ?? null,
      hasNextPage: found.length > count,
    };
  },
};
