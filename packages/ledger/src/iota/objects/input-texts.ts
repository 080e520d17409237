import type { ObjectReference } from '../../object-reference.js';

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
    `Object ${id} is owned by ${owner}, which is no input of the transaction: it cannot be received`,

  systemObject: (id: string) =>
    `Object ${id} is a system object and cannot be accessed by user transactions`,
} as const;
