import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ExecutedTransactionSchema,
  type GetObjectsRequest,
  type GetTransactionsRequest,
  type ObjectRequest,
  type ObjectResultSchema,
  ObjectSchema,
  type TransactionRequest,
  type TransactionResultSchema,
} from '@forecourt/node-messages';
import { status } from '@grpc/grpc-js';
import { toBase58 } from '@iota/iota-sdk/utils';
import { toHexId } from '../engine/hash.js';
import type { LedgerView } from '../views/lagging-view.js';
import { encodeObject } from './encode-object.js';
import { encodeTransaction } from './encode-transaction.js';
import { failure, GrpcFailure, invalidField, statusOf } from './grpc-status.js';
import { ReadMask } from './read-mask.js';
import { EQUIVALENTS, type ServedNode } from './served-node.js';

const DIGEST_BYTES = 32;

type Result<S extends typeof ObjectResultSchema | typeof TransactionResultSchema> =
  MessageInitShape<S>;

/** One result for each requested object, in the order requested. */
export function readObjects(
  node: ServedNode,
  view: LedgerView,
  { requests, readMask }: GetObjectsRequest,
): Result<typeof ObjectResultSchema>[] {
  const mask = ReadMask.read(readMask, ['reference', 'bcs'], ObjectSchema);
  const list = requests?.requests ?? [];
  if (list.length === 0) throw invalidField('requests');
  return list.map((request) =>
    eachResult(node, () => {
      const object = findObject(node, view, request);
      const value = mask.applyTo(ObjectSchema, encodeObject(object));
      return { result: { case: 'object', value } };
    }),
  );
}

function findObject({ fullNode }: ServedNode, view: LedgerView, { objectRef }: ObjectRequest) {
  const bytes = objectRef?.objectId?.objectId;
  if (bytes?.length !== DIGEST_BYTES) {
    throw invalidField('object_ref.object_id', bytes && 'object id must have 32 bytes');
  }
  const id = toHexId(bytes);
  const version = objectRef?.version;
  const found =
    version === undefined ? view.getObject(id) : fullNode.getPastObject(id, Number(version));
  if (found.kind === 'found') return found.object;
  const at = version === undefined ? '' : ` at version ${version}`;
  throw failure(status.NOT_FOUND, `Object ${id}${at} not found`);
}

/** One result for each requested transaction, in the order requested. */
export function readTransactions(
  node: ServedNode,
  view: LedgerView,
  { requests, readMask }: GetTransactionsRequest,
): Result<typeof TransactionResultSchema>[] {
  const usual = ['transaction', 'signatures', 'checkpoint', 'timestamp'];
  const mask = ReadMask.read(readMask, usual, ExecutedTransactionSchema);
  const list = requests?.requests ?? [];
  if (list.length === 0) throw invalidField('requests');
  return list.map((request) =>
    eachResult(node, () => {
      const transaction = findTransaction(node, view, request);
      checkShowable(node, transaction.digest, mask);
      const value = encodeTransaction(node.engine, transaction, mask);
      return { result: { case: 'executedTransaction', value } };
    }),
  );
}

function findTransaction(
  { faultyCalls }: ServedNode,
  view: LedgerView,
  { digest }: TransactionRequest,
) {
  if (digest?.digest.length !== DIGEST_BYTES) {
    throw invalidField('digest', digest && 'digest must have 32 bytes');
  }
  const name = toBase58(digest.digest);
  const found = view.getTransaction(name);
  if (found) return found;
  faultyCalls.recentCalls.note('notFound');
  throw failure(status.NOT_FOUND, `Transaction ${name} not found`);
}

/** The faults of single transactions. */
function checkShowable(
  { faultyCalls: { faults } }: ServedNode,
  digest: string,
  mask: ReadMask,
): void {
  const name = EQUIVALENTS.GetTransactions;
  const isThis = (fault: { readonly digest?: string }) => (fault.digest ?? digest) === digest;
  if (faults.take('unconvertible', name, isThis) !== null) {
    throw failure(status.INTERNAL, `Failed to convert transaction ${digest}`);
  }
  if (mask.asks('object_changes') && faults.take('omitChanges', name, isThis) !== null) {
    throw failure(status.FAILED_PRECONDITION, `An object of transaction ${digest} has been pruned`);
  }
}

/** An item that fails does not affect the others. */
function eachResult<T>(
  { profiles }: ServedNode,
  read: () => T,
): T | { result: { case: 'error'; value: ReturnType<typeof statusOf> } } {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof GrpcFailure)) throw error;
    return { result: { case: 'error', value: statusOf(error, profiles.current) } };
  }
}
