import { bcs } from '@iota/iota-sdk/bcs';
import { fullId } from './hash.js';
import { ACCOUNT_TYPE } from './move/account-module.js';
import type { ObjectStore } from './object-store.js';

type CallArgument = typeof bcs.CallArg.$inferType;

/**
 * The account whose authenticator accepts the transaction. Throws `Error` with the reason otherwise. Only the
 * demo package has accounts, which accept their password.
 */
export function authenticateAccount(
  store: Pick<ObjectStore, 'latest'>,
  authenticator: Uint8Array,
): string {
  const { V1: content } = bcs.MoveAuthenticator.parse(authenticator);
  const { objectToAuthenticate, callArgs } = content;
  const { ImmOrOwnedObject: named } = objectToAuthenticate.Object ?? {};
  if (!named) throw new Error('the account is not an immutable object');
  const account = store.latest(fullId(named.objectId));
  if (!account) throw new Error(`Could not find the referenced object ${named.objectId}`);
  if (account.owner !== 'Immutable' || account.type !== ACCOUNT_TYPE) {
    throw new Error(`object ${named.objectId} is not an account`);
  }
  if (readU64(callArgs[0]) !== account.values['password']) {
    throw new Error('MoveAbort in the authenticator: wrong password');
  }
  return account.objectId;
}

function readU64(argument: CallArgument | undefined): bigint | null {
  const bytes = Buffer.from(argument?.Pure?.bytes ?? '', 'base64');
  return bytes.length === 8 ? bytes.readBigUInt64LE() : null;
}
