import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import { inputTexts } from './input-texts.js';
import type { KnownObjects } from './known-objects.js';

/** The clock and the source of randomness: transactions of users only read them. */
const READ_ONLY_FOR_USERS: ReadonlySet<string> = new Set(
  ['0x6', '0x8'].map((id) => normalizeIotaAddress(id)),
);
const AUTHENTICATOR_STATE = normalizeIotaAddress('0x7');

/**
 * The error of a transaction that every validator refuses by its bytes and by objects already
 * known; null: none.
 */
export function findRefusalWithoutLedger(
  transaction: DecodedTransaction,
  known: KnownObjects,
  epoch: bigint,
): string | null {
  const { ownedInputs, receivedInputs, sharedInputs, packages } = transaction;
  const inputs = [...ownedInputs, ...receivedInputs, ...sharedInputs];
  const ids = [...inputs.map(({ objectId }) => objectId), ...packages];
  if (new Set(ids).size < ids.length) return inputTexts.duplicated;
  for (const { objectId, initialSharedVersion, mutable } of sharedInputs) {
    if (objectId === AUTHENTICATOR_STATE) return inputTexts.systemObject(objectId);
    if (mutable && READ_ONLY_FOR_USERS.has(objectId)) return inputTexts.mustBeImmutable;
    const since = known.sharedSince(objectId, epoch);
    if (since !== null && since !== initialSharedVersion) return inputTexts.wrongSharedVersion;
  }
  return null;
}
