import { JsonRpcCode } from '@forecourt/contracts';
import type { FalseAnswer, Refusal, RefusalSubject } from './fault.js';

/** A transaction that this node has not seen. */
export const UNKNOWN_DIGEST = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';

/** A package that does not exist. */
const UNKNOWN_PACKAGE = `0x${'dead'.repeat(16)}`;

const lockedBecause = (reason: string) =>
  about(
    'locks',
    `Failed to sign transaction by a quorum of validators because one or more of its objects is ${reason}. ` +
      `Other transactions locking these objects:\n- ${UNKNOWN_DIGEST} (stake 50.0)`,
  );

/**
 * Refusals by name, in a node's own words. `{gasObjectId}`, `{gasVersion}`, `{gasDigest}`, `{sender}` and
 * `{digest}` are filled in from the refused transaction. Excludes the prefix of the node's version.
 */
export const REFUSAL_PRESETS = {
  locked: lockedBecause('reserved for another transaction'),
  equivocated: lockedBecause('equivocated until the next epoch'),
  stale: about(
    'inputs',
    'Object ID {gasObjectId} Version {gasVersion} Digest {gasDigest} ' +
      'is not available for consumption, current version: 0x7fffffff',
  ),
  missing: about(
    'missing-inputs',
    'Could not find the referenced object {gasObjectId} at version None',
  ),
  'missing-package': about(
    'missing-inputs',
    `Dependent package not found on-chain: ${UNKNOWN_PACKAGE}`,
  ),
  'low-balance': about('inputs', 'Balance of gas object 10 is lower than the needed amount: 100'),
  'gas-price': about('bytes', 'Gas price 1 under reference gas price (RGP) 1000'),
  duplicate: about(
    'bytes',
    'Mutable object {gasObjectId} cannot appear more than once in one transaction',
  ),
  'duplicate-inputs': about('bytes', "The transaction inputs contain duplicated ObjectRef's"),
  'empty-arguments': about(
    'bytes',
    'TransferObjects, MergeCoin, and Publish cannot have empty arguments. ' +
      'If MakeMoveVec has empty arguments, it must have a type specified',
  ),
  'after-random': about(
    'bytes',
    'Commands following a command with Random can only be TransferObjects or MergeCoins',
  ),
  'shared-version': about('inputs', 'Wrong initial version given for shared object'),
  'object-as-package': about(
    'inputs',
    'A move package is expected, instead a move object is passed: {gasObjectId}',
  ),
  'immutable-object': about('inputs', 'Immutable parameter provided, mutable parameter expected'),
  'mutable-object': about('inputs', 'Mutable parameter provided, immutable parameter expected'),
  frozen: about('inputs', 'Object {gasObjectId} is frozen'),
  'wrong-sender': about(
    'inputs',
    'Transaction was not signed by the correct sender: Object {gasObjectId} is owned by account address ' +
      '0x0000000000000000000000000000000000000000000000000000000000000bad, but given owner/signer address is {sender}',
  ),
  'not-an-object': about('inputs', 'Object {gasObjectId} is not a Move object'),
  'verification-timeout': about('inputs', 'Package verification failed: Verification timed out'),
  'bad-signature': client(
    'Invalid user signature: Signature is not valid: Fail to verify user sig',
  ),
  'absent-signature': client(
    'Invalid user signature: Required Signature from {sender} is absent [].',
  ),
  'different-signatures': client(
    'The transaction is already finalized but with different user signatures',
  ),
  internal: {
    code: JsonRpcCode.internal,
    message: 'Internal error occurred while executing transaction.',
  },
} as const satisfies Record<string, Refusal>;

/** Errors that a node, or a proxy in front of it, also returns for a transaction that has been executed. */
export const MISREPORT_PRESETS = {
  ...REFUSAL_PRESETS,
  deadline: internal('Deadline expired before operation could complete'),
  'certificate-expired': internal('certificate: Expired'),
  'size-limit': internal('size limit exceeded'),
  'not-supported': internal('feature is not supported'),
  'invalid-params': { code: JsonRpcCode.invalidParams, message: 'Invalid params' },
  'payload-too-large': {
    status: 413,
    contentType: 'text/html',
    body: '<html><body><h1>413 Request Entity Too Large</h1></body></html>',
  },
} as const satisfies Record<string, FalseAnswer>;

/** Transient errors by name, in a node's own words. */
export const TRANSIENT_PRESETS = {
  timeout: 'Transaction timed out before reaching finality',
  'no-finality': 'Transaction failed to reach finality with transient error after 10 attempts.',
} as const;

function internal(message: string): Refusal {
  return { code: JsonRpcCode.internal, message };
}

function client(message: string): Refusal {
  return { code: JsonRpcCode.transactionClientError, message };
}

function about(subject: RefusalSubject, message: string): Refusal {
  return { code: JsonRpcCode.transactionClientError, message, about: subject };
}
