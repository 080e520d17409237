/** A fault of a transaction's inputs, in a node's words. */
export interface InputFault {
  readonly text: string;
  /** The text since August 2026, where it differs. */
  readonly recentText?: string;
  /** The text of a node of March 2026, where it is not the older one. */
  readonly marchText?: string;
  /** The name of the fault in a dry run of a node of 2025, where it differs from the text. */
  readonly debug?: string;
  /** Whether an object or a package was not found. */
  readonly missing: boolean;
}

interface Reference {
  readonly objectId: string;
  readonly version: string | number;
  readonly digest: string;
}

/**
 * Each function returns the node's text of one fault; `version` null: the node knows no version of the
 * object.
 */
export const inputFaults = {
  objectNotFound: (objectId: string, version: string | number | null): InputFault => {
    const quotedVersion = version === null ? 'None' : `Some(${sequence(version)})`;
    return {
      text: `Could not find the referenced object ${objectId} at version ${quotedVersion}`,
      debug: `ObjectNotFound { object_id: ${objectId}, version: ${quotedVersion} }`,
      missing: true,
    };
  },

  packageNotFound: (id: string): InputFault => ({
    text: `Dependent package not found on-chain: ${id}`,
    debug: `DependentPackageNotFound { package_id: ${id} }`,
    missing: true,
  }),

  unavailable: ({ objectId, version, digest }: Reference, current: number): InputFault => {
    const provided = `(${objectId}, ${sequence(version)}, o#${digest})`;
    const recentText =
      `Object ID ${objectId} Version ${hex(version)} Digest ${digest} is not available for consumption, ` +
      `current version: ${hex(current)}`;
    return {
      text: `Object ${provided} is not available for consumption, its current version: ${sequence(current)}`,
      recentText,
      marchText: recentText,
      debug: `ObjectVersionUnavailableForConsumption { provided_obj_ref: ${provided}, current_version: ${sequence(current)} }`,
      missing: false,
    };
  },

  wrongDigest: (objectId: string, expected: string): InputFault => ({
    text: `Invalid Object digest for object ${objectId}. Expected digest : o#${expected}`,
    recentText: `Invalid Object digest for object ${objectId}. Expected digest : ${expected}`,
    debug: `InvalidObjectDigest { object_id: ${objectId}, expected_digest: o#${expected} }`,
    missing: false,
  }),

  usedTwice: (objectId: string): InputFault => ({
    text: `Mutable object ${objectId} cannot appear more than one in one transaction`,
    recentText: `Mutable object ${objectId} cannot appear more than once in one transaction`,
    debug: `MutableObjectUsedMoreThanOnce { object_id: ${objectId} }`,
    missing: false,
  }),

  duplicated: (): InputFault => ({
    text: "The transaction inputs contain duplicated ObjectRef's",
    recentText: "The transaction inputs contain duplicated ObjectReference's",
    debug: 'DuplicateObjectRefInput',
    missing: false,
  }),

  packageAsObject: (id: string) =>
    fault(
      `A move object is expected, instead a move package is passed: ${id}`,
      `MovePackageAsObject { object_id: ${id} }`,
    ),

  objectAsPackage: (id: string) =>
    fault(
      `A move package is expected, instead a move object is passed: ${id}`,
      `MoveObjectAsPackage { object_id: ${id} }`,
    ),

  wrongSender: (objectId: string, owner: string, signer: string) => {
    const error = `Object ${objectId} is owned by account address ${owner}, but given owner/signer address is ${signer}`;
    return fault(
      `Transaction was not signed by the correct sender: ${error}`,
      `IncorrectUserSignature { error: "${error}" }`,
    );
  },

  child: (child: string, parent: string) =>
    fault(
      `Object ${child} is owned by object ${parent}. Objects owned by other objects cannot be used as input arguments`,
      `InvalidChildObjectArgument { child_id: ${child}, parent_id: ${parent} }`,
    ),

  notShared: () => fault('Object used as shared is not shared', 'NotSharedObject'),

  wrongInitialVersion: () =>
    fault('Wrong initial version given for shared object', 'SharedObjectStartingVersionMismatch'),

  mustBeImmutable: (id: string) =>
    fault(
      'Mutable parameter provided, immutable parameter expected',
      `ImmutableParameterExpected { object_id: ${id} }`,
    ),

  mustBeMutable: (id: string): InputFault => ({
    text: 'Immutable parameter provided, mutable parameter expected',
    recentText: `Immutable parameter provided, mutable parameter expected for ${id}`,
    debug: `MutableParameterExpected { object_id: ${id} }`,
    missing: false,
  }),

  other: (text: string): InputFault => ({ text, missing: false }),
} as const;

/** A fault with the same text in every version. */
export function fault(text: string, debug: string): InputFault {
  return { text, debug, missing: false };
}

function sequence(version: string | number): string {
  return `SequenceNumber(${version})`;
}

function hex(version: string | number): string {
  return `0x${BigInt(version).toString(16)}`;
}
