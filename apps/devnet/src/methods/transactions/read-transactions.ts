import { invalidParams } from '@forecourt/contracts';
import {
  readDigest,
  readList,
  optional,
  readLimit,
  readObject,
} from '../../json-rpc/read-params.js';
import type { ExecutedTransaction } from '../../engine/engine-interface.js';
import { TransactionNotFound } from '../../node/transaction-not-found.js';
import type { LedgerView } from '../../views/lagging-view.js';
import type { RpcMethod } from '../rpc-method.js';
import { showTransactionRead, readTransactionOptions } from './show-transaction.js';
import { type TransactionPredicate, readTransactionFilter } from './read-transaction-filter.js';

const MAX_DIGESTS = 50;

export const getTransactionBlock: RpcMethod = {
  name: 'iota_getTransactionBlock',
  params: ['digest', 'options'],
  summary: 'One executed transaction.',
  run(context, [digest, options]) {
    const transaction = findTransaction(context.view, readDigest(digest, 'digest'));
    return showTransactionRead(context, transaction, readTransactionOptions(options));
  },
};

export const multiGetTransactionBlocks: RpcMethod = {
  name: 'iota_multiGetTransactionBlocks',
  params: ['digests', 'options'],
  summary: `Up to ${MAX_DIGESTS} executed transactions, in the order requested.`,
  run(context, [digests, options]) {
    const list = readList(digests, 'digests', MAX_DIGESTS, readDigest);
    if (new Set(list).size !== list.length) {
      throw invalidParams('Invalid params: digests: a digest appears twice');
    }
    const parts = readTransactionOptions(options);
    return list.map((digest) =>
      showTransactionRead(context, findTransaction(context.view, digest), parts),
    );
  },
};

/** Throws `TransactionNotFound` when reads do not show the transaction. */
export function findTransaction(view: LedgerView, digest: string): ExecutedTransaction {
  const transaction = view.getTransaction(digest);
  if (transaction === null) throw new TransactionNotFound(digest);
  return transaction;
}

const PAGE = 500;

interface Scan {
  readonly matches: TransactionPredicate;
  /** The transaction to start after; null: at the beginning of the direction. */
  readonly after: ExecutedTransaction | null;
  readonly descending: boolean;
  readonly limit: number;
}

/** The first matching transactions in the ledger's order. */
function scanLedgerOrder(view: LedgerView, scan: Scan): ExecutedTransaction[] {
  const { matches, descending, limit } = scan;
  const matching: ExecutedTransaction[] = [];
  let after = scan.after?.sequence;
  for (;;) {
    const page = view.listTransactions({
      limit: PAGE,
      descending,
      ...(after !== undefined && { after }),
    });
    for (const transaction of page) {
      if (matches(transaction)) matching.push(transaction);
      if (matching.length === limit) return matching;
    }
    after = page.at(-1)?.sequence;
    if (page.length < PAGE || after === undefined) return matching;
  }
}

/**
 * The same in the order of the node's index. Throws `TransactionNotFound` for a start that is not in it yet.
 */
function scanNodeOrder(
  view: LedgerView,
  sequences: readonly number[],
  { matches, after, descending, limit }: Scan,
): ExecutedTransaction[] {
  const matching: ExecutedTransaction[] = [];
  const step = descending ? -1 : 1;
  const start = startOf(sequences, after, descending);
  for (let index = start; matching.length < limit; index += step) {
    const sequence = sequences[index];
    if (sequence === undefined) break;
    const [transaction] = view.listTransactions({ after: sequence - 1, limit: 1 });
    const isShown = transaction?.sequence === sequence;
    if (isShown && matches(transaction)) matching.push(transaction);
  }
  return matching;
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
    const parts = readTransactionOptions(options);
    // Without options a node returns only digests.
    const asksForMore = Object.values(parts).some(Boolean);
    const count = readLimit(limit, 50);
    const from = optional(cursor, 'cursor', readDigest);
    const scan = {
      matches,
      after: from === null ? null : findTransaction(view, from),
      descending: descending === true,
      limit: count + 1,
    };
    const { sequences } = node.nodeOrder;
    const matching =
      sequences === null ? scanLedgerOrder(view, scan) : scanNodeOrder(view, sequences, scan);
    const data = matching.slice(0, count);
    return {
      data: asksForMore
        ? data.map((transaction) => showTransactionRead(context, transaction, parts))
        : data.map(({ digest }) => ({ digest })),
      nextCursor: data.at(-1)?.digest ?? null,
      hasNextPage: matching.length > count,
    };
  },
};
