import type { ExecutedTransaction } from '../../engine/engine-interface.js';
import { invalidParams } from '@forecourt/json-rpc';
import { readDigest, readList } from '../../json-rpc/read-params.js';
import { TransactionNotFound } from '../../node/not-found.js';
import type { LedgerView } from '../../views/ledger-view.js';
import type { RpcMethod } from '../rpc-method.js';
import { readTransactionOptions } from './read-transaction-options.js';
import { showTransactionRead } from './show-transaction.js';

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
    const shown = readTransactionOptions(options);
    return list.map((digest) =>
      showTransactionRead(context, findTransaction(context.view, digest), shown),
    );
  },
};

export const isTransactionIndexed: RpcMethod = {
  name: 'iota_isTransactionIndexedOnNode',
  params: ['digest'],
  summary: 'Whether reads show the transaction.',
  run({ view }, [digest]) {
    return view.getTransaction(readDigest(digest, 'digest')) !== null;
  },
};

/** Throws `TransactionNotFound` when reads do not show the transaction. */
export function findTransaction(view: LedgerView, digest: string): ExecutedTransaction {
  const found = view.getTransaction(digest);
  if (found === null) throw new TransactionNotFound(digest);
  return found;
}
