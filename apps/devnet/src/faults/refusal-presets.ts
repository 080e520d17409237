import { JsonRpcCode } from '@forecourt/json-rpc';

const INPUTS_REFUSED =
  'Transaction validator signing failed due to issues with transaction inputs, ' +
  'please review the errors and try again:\n';

/** A transaction that this node has not seen. */
const UNKNOWN_DIGEST = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';

const lockedBecause = (reason: string) =>
  `Failed to sign transaction by a quorum of validators because one or more of its objects is ${reason}. ` +
  `Other transactions locking these objects:\n- ${UNKNOWN_DIGEST} (stake 50.0)`;

/**
 * Refusals by name, in a node's own words. `{gasObjectId}`, `{gasVersion}`, `{gasDigest}`, `{sender}`
 * and `{digest}` are filled in from the transaction that is refused.
 */
export const REFUSAL_PRESETS = {
  locked: client(lockedBecause('reserved for another transaction')),
  equivocated: client(lockedBecause('equivocated until the next epoch')),
  stale: client(
    `${INPUTS_REFUSED}- Object ID {gasObjectId} Version {gasVersion} Digest {gasDigest} ` +
      'is not available for consumption, current version: 0x7fffffff',
  ),
  missing: client(
    `${INPUTS_REFUSED}- Could not find the referenced object {gasObjectId} at version None`,
  ),
  'low-balance': client(
    `${INPUTS_REFUSED}- Balance of gas object 10 is lower than the needed amount: 100`,
  ),
  'gas-price': client(`${INPUTS_REFUSED}- Gas price 1 under reference gas price (RGP) 1000`),
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
} as const;

export type RefusalPreset = keyof typeof REFUSAL_PRESETS;

/** Transient errors by name, in a node's own words. */
export const TRANSIENT_PRESETS = {
  timeout: 'Transaction timed out before reaching finality',
  'no-finality': 'Transaction failed to reach finality with transient error after 10 attempts.',
} as const;

export type TransientPreset = keyof typeof TRANSIENT_PRESETS;

function client(message: string) {
  return { code: JsonRpcCode.transactionClientError as number, message };
}
