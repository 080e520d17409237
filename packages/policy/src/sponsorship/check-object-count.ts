import { ForecourtError } from '@forecourt/contracts';
import { type DecodedTransaction, MAX_NAMED_OBJECTS } from '@forecourt/ledger';

/** Refuses a transaction that names too many objects and packages to look up. Throws TOO_MANY_OBJECTS. */
export function checkObjectCount(
  transaction: Pick<
    DecodedTransaction,
    'ownedInputs' | 'receivedInputs' | 'sharedInputs' | 'packages'
  >,
): void {
  const { ownedInputs, receivedInputs, sharedInputs, packages } = transaction;
  const count = ownedInputs.length + receivedInputs.length + sharedInputs.length + packages.length;
  if (count <= MAX_NAMED_OBJECTS) return;
  throw new ForecourtError('TOO_MANY_OBJECTS', `${count} exceed the limit of ${MAX_NAMED_OBJECTS}`);
}
