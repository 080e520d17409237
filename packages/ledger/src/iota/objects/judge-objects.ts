import type { IotaObjectResponse } from '@iota/iota-sdk/client';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { SharedInput } from '../../decoded-transaction.js';
import type { ObjectReference } from '../../object-reference.js';

/** Meaning of a node's answer about one object for the transaction that names it. */
export type Judgement =
  /** Every validator accepts it. `owner`: the address that owns it; null: immutable, shared or a package. */
  | { readonly kind: 'fit'; readonly owner: string | null }
  /** No validator accepts it; `text` is the node's own. */
  | { readonly kind: 'refused'; readonly text: string; readonly isBehind?: boolean }
  /** It does not exist, or the node has not seen it yet. */
  | { readonly kind: 'missing'; readonly text: string }
  /** The answer does not decide. */
  | { readonly kind: 'unclear' };

type Shown = NonNullable<IotaObjectResponse['data']>;

const UNCLEAR: Judgement = { kind: 'unclear' };
const refused = (text: string): Judgement => ({ kind: 'refused', text });
const missing = (text: string): Judgement => ({ kind: 'missing', text });
const fit = (owner: string | null = null): Judgement => ({ kind: 'fit', owner });

/** An input that the transaction uses as the sender's own or as immutable. */
export function judgeOwned(
  input: ObjectReference,
  response: IotaObjectResponse,
  sender: string,
): Judgement {
  return judgeReference(input, response, ({ owner }) => {
    if (owner === 'Immutable') return fit();
    const address = addressOf(owner);
    if (address === null) return judgeOtherOwner(input.objectId, owner);
    if (address === sender) return fit(address);
    return refused(inputTexts.wrongSender(input.objectId, address, sender));
  });
}

/**
 * An input to be received from one of `parents`, the objects that the transaction uses. A node also accepts
 * an input of any other address and leaves it to Move whether it can be received. Here it is refused: another
 * account could change it between this check and the submission, and so lock the sponsor's coins.
 */
export function judgeReceived(
  input: ObjectReference,
  response: IotaObjectResponse,
  parents: ReadonlySet<string>,
): Judgement {
  return judgeReference(input, response, ({ owner }) => {
    if (owner === 'Immutable') return refused(inputTexts.mustBeMutable);
    const address = addressOf(owner);
    if (address === null) return judgeOtherOwner(input.objectId, owner);
    return parents.has(address)
      ? fit(address)
      : refused(inputTexts.foreignParent(input.objectId, address));
  });
}

export function judgeShared(input: SharedInput, { data, error }: IotaObjectResponse): Judgement {
  if (error?.code === 'notExists') return missing(inputTexts.sharedNotFound(input.objectId));
  if (data?.owner == null) return UNCLEAR;
  const since = sharedSince(data.owner);
  if (since === null) {
    return isUnknownKind(data.owner) ? UNCLEAR : refused(inputTexts.notShared);
  }
  return input.initialSharedVersion === since ? fit() : refused(inputTexts.wrongSharedVersion);
}

export function judgePackage(id: string, { data, error }: IotaObjectResponse): Judgement {
  if (error?.code === 'notExists') return missing(inputTexts.packageNotFound(id));
  if (error?.code === 'deleted') return refused(inputTexts.packageNotFound(id));
  if (data?.type == null) return UNCLEAR;
  return data.type === 'package' ? fit() : refused(inputTexts.objectAsPackage(id));
}

/** The version at which an object that a node shows became shared; null when it is not shared. */
export function sharedSince(owner: Shown['owner']): number | null {
  if (owner == null || typeof owner !== 'object' || !('Shared' in owner)) return null;
  return Number(owner.Shared.initial_shared_version);
}

/** Checks that the object exists at that version and digest and is not a package, then calls `judgeOwner`. */
function judgeReference(
  input: ObjectReference,
  { data, error }: IotaObjectResponse,
  judgeOwner: (data: Shown) => Judgement,
): Judgement {
  if (error?.code === 'deleted') {
    // An object that was wrapped returns at a higher version, which a node may not have seen yet.
    const isOver = Number(error.version) >= input.version;
    return isOver
      ? refused(inputTexts.stale(input, error.version))
      : missing(inputTexts.notFound(input));
  }
  if (error?.code === 'notExists') return missing(inputTexts.notFound(input));
  if (data?.owner == null || data.type == null) return UNCLEAR;
  if (data.type === 'package') return refused(inputTexts.packageAsObject(input.objectId));
  const version = Number(data.version);
  if (version > input.version) return refused(inputTexts.stale(input, data.version));
  if (version < input.version) return missing(inputTexts.notFound(input));
  if (data.digest !== input.digest) return refused(inputTexts.wrongDigest(input, data.digest));
  return judgeOwner(data);
}

function judgeOtherOwner(id: string, owner: Shown['owner']): Judgement {
  if (isUnknownKind(owner)) return UNCLEAR;
  if (typeof owner === 'object' && owner !== null && 'ObjectOwner' in owner) {
    return refused(inputTexts.child(id, normalizeIotaAddress(owner.ObjectOwner)));
  }
  return refused(inputTexts.notShared);
}

function addressOf(owner: Shown['owner']): string | null {
  if (owner == null || typeof owner !== 'object' || !('AddressOwner' in owner)) return null;
  return normalizeIotaAddress(owner.AddressOwner);
}

/** A kind of ownership that this release does not know. */
function isUnknownKind(owner: Shown['owner']): boolean {
  if (owner === 'Immutable') return false;
  if (owner == null || typeof owner !== 'object') return true;
  return !('AddressOwner' in owner || 'ObjectOwner' in owner || 'Shared' in owner);
}

/** A node's messages about inputs, word for word, because clients match on them. */
export const inputTexts = {
  introduction:
    'Transaction execution failed due to issues with transaction inputs, please review the errors and try again:',
  duplicated: "The transaction inputs contain duplicated ObjectRef's",
  notShared: 'Object used as shared is not shared',
  wrongSharedVersion: 'Wrong initial version given for shared object',
  mustBeImmutable: 'Mutable parameter provided, immutable parameter expected',
  mustBeMutable: 'Immutable parameter provided, mutable parameter expected',

  notFound: ({ objectId, version }: ObjectReference) =>
    `Could not find the referenced object ${objectId} at version Some(SequenceNumber(${version}))`,

  sharedNotFound: (id: string) => `Could not find the referenced object ${id} at version None`,

  stale: ({ objectId, version, digest }: ObjectReference, current: string | number) =>
    `Object (${objectId}, SequenceNumber(${version}), o#${digest}) is not available for consumption, its current version: SequenceNumber(${current})`,

  wrongDigest: ({ objectId }: ObjectReference, expected: string) =>
    `Invalid Object digest for object ${objectId}. Expected digest : o#${expected}`,

  packageAsObject: (id: string) =>
    `A move object is expected, instead a move package is passed: ${id}`,

  objectAsPackage: (id: string) =>
    `A move package is expected, instead a move object is passed: ${id}`,

  packageNotFound: (id: string) => `Dependent package not found on-chain: ${id}`,

  wrongSender: (id: string, owner: string, sender: string) =>
    `Transaction was not signed by the correct sender: Object ${id} is owned by account address ${owner}, but given owner/signer address is ${sender}`,

  child: (id: string, parent: string) =>
    `Object ${id} is owned by object ${parent}. Objects owned by other objects cannot be used as input arguments`,

  foreignParent: (id: string, owner: string) =>
    `Object ${id} is owned by ${owner}, which is not an input of the transaction: it cannot be received`,

  systemObject: (id: string) =>
    `Object ${id} is a system object and cannot be accessed by user transactions`,
} as const;
