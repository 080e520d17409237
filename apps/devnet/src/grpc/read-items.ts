import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ExecutedTransactionSchema,
  type GetObjectsRequest,
  type GetTransactionsRequest,
  type ObjectId,
  type ObjectRequest,
  type ObjectResultSchema,
  ObjectSchema,
  type TransactionResultSchema,
} from '@forecourt/ledger/node-messages';
import { toBase58 } from '@iota/iota-sdk/utils';
import type { ObjectRecord } from '../engine/engine-interface.js';
import { toHexId } from '../engine/hash.js';
import type { LedgerView } from '../views/lagging-view.js';
import { encodeObject } from './encode-object.js';
import { encodeTransaction } from './encode-transaction.js';
import { GrpcCode } from './grpc-codes.js';
import { failure, invalidField, missingField } from './grpc-status.js';
import { GrpcFailure } from './grpc-failure.js';
import { ReadMask } from './read-mask.js';
import { EQUIVALENTS, type ServedNode } from './served-node.js';

/** Of ids and digests. */
const ID_BYTES = 32;
/** Parts of a transaction without which a node need not know the transaction. */
const OF_CHECKPOINT: readonly string[] = ['checkpoint', 'timestamp'];
const OF_TRANSACTION = ExecutedTransactionSchema.fields
  .map(({ name }) => name)
  .filter((name) => !OF_CHECKPOINT.includes(name));

interface NamedObject {
  readonly id: string;
  readonly version: bigint | undefined;
}

/**
 * One result for each requested object, in the order requested. Throws `GrpcFailure` if an id cannot be read.
 */
export function readObjects(
  { fullNode, profiles }: ServedNode,
  view: LedgerView,
  { requests, readMask }: GetObjectsRequest,
): MessageInitShape<typeof ObjectResultSchema>[] {
  const mask = ReadMask.read(readMask, ['reference', 'bcs'], ObjectSchema, profiles.current);
  const named = (requests?.requests ?? []).map(readObjectId);
  return named.map((each) => {
    const object = findObject(view, fullNode, each);
    if (object) {
      const value = mask.applyTo(ObjectSchema, encodeObject(object));
      return { result: { case: 'object', value } };
    }
    const version = each.version === undefined ? '' : ` at version ${each.version}`;
    return notFound(`Object ${each.id}${version} not found`);
  });
}

function readObjectId({ objectRef }: ObjectRequest, index: number): NamedObject {
  const field = `requests[${index}].object_id`;
  const bytes = objectRef?.objectId?.objectId;
  if (!bytes) throw missingField(field);
  if (bytes.length !== ID_BYTES)
    throw invalidField(field, `invalid object_id: ${wrongBytes('object_id')}`);
  return { id: toHexId(bytes), version: objectRef?.version };
}

/** The id of an object without which the request means nothing. Throws `GrpcFailure`. */
export function readRequiredId(field: string, id: ObjectId | undefined): string {
  if (!id) throw missingField(field, `${field} is required`);
  if (id.objectId.length === ID_BYTES) return toHexId(id.objectId);
  throw invalidField(field, `invalid ${field}: ${wrongBytes('object_id')}`);
}

/** A node's words for an id or address of another length. */
export function wrongBytes(field: 'object_id' | 'address'): string {
  return `error converting from protobuf: field: ${field} reason: FIELD_INVALID description: expected ${ID_BYTES} bytes`;
}

/**
 * Earlier versions outlive the object, until they are pruned; later ones do not exist before they are shown.
 */
function findObject(
  view: LedgerView,
  history: ServedNode['fullNode'],
  { id, version }: NamedObject,
): ObjectRecord | null {
  const now = view.getObject(id);
  if (now.kind === 'unknown') return null;
  if (version === undefined) return now.kind === 'found' ? now.object : null;
  const latest = now.kind === 'found' ? now.object.version : now.reference.version;
  if (version > latest) return null;
  const past = history.getPastObject(id, Number(version));
  return past.kind === 'found' ? past.object : null;
}

/**
 * One result for each requested transaction, in the order requested. Throws `GrpcFailure` if a digest cannot
 * be read.
 */
export function readTransactions(
  node: ServedNode,
  view: LedgerView,
  { requests, readMask }: GetTransactionsRequest,
): MessageInitShape<typeof TransactionResultSchema>[] {
  const usual = ['transaction', 'signatures', 'checkpoint', 'timestamp'];
  const mask = ReadMask.read(readMask, usual, ExecutedTransactionSchema, node.profiles.current);
  const digests = (requests?.requests ?? []).map(({ digest }, index) => {
    const field = `requests[${index}].digest`;
    if (!digest) throw missingField(field);
    if (digest.digest.length === ID_BYTES) return toBase58(digest.digest);
    throw invalidField(field, 'invalid digest: Invalid transaction digest.');
  });
  return digests.map((digest) => eachResult(() => readTransaction(node, view, digest, mask)));
}

function readTransaction(node: ServedNode, view: LedgerView, digest: string, mask: ReadMask) {
  const transaction = view.getTransaction(digest);
  if (transaction) {
    checkShowable(node, digest, mask);
    return encodeTransaction(node, transaction, mask);
  }
  node.faultyCalls.recentCalls.note('notFound');
  if (!OF_TRANSACTION.some((part) => mask.asks(part))) return {};
  throw failure(GrpcCode.notFound, `Transaction ${digest} not found`);
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
    throw failure(GrpcCode.internal, `Failed to convert transaction ${digest}`);
  }
  const needsObjects = ['input_objects', 'output_objects', 'object_changes'].some((part) =>
    mask.asks(part),
  );
  if (needsObjects && faults.take('omitChanges', name, isThis) !== null) {
    const text = `An object of transaction ${digest} has been pruned`;
    throw failure(GrpcCode.failedPrecondition, text);
  }
}

/** An item that fails does not affect the others. */
function eachResult(
  read: () => MessageInitShape<typeof ExecutedTransactionSchema>,
): MessageInitShape<typeof TransactionResultSchema> {
  try {
    return { result: { case: 'executedTransaction', value: read() } };
  } catch (error) {
    if (!(error instanceof GrpcFailure)) throw error;
    return { result: { case: 'error', value: error.status } };
  }
}

function notFound(message: string) {
  const { status: value } = failure(GrpcCode.notFound, message);
  return { result: { case: 'error', value } } as const;
}
