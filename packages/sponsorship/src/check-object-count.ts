import { ForecourtError } from '@forecourt/contracts';
import type { DecodedTransaction } from '@forecourt/ledger';

/** Objects and packages that a transaction may name: each of them may have to be looked up at a node. */
export const MOST_NAMED_OBJECTS = 512;

/** Refuses a transaction that names more than can be looked up for it at a fair price. Throws TOO_MANY_OBJECTS. */
export function checkObjectCount(
  transaction: Pick<
    DecodedTransaction,
    'ownedInputs' | 'receivedInputs' | 'sharedInputs' | 'packages'
  >,
): void {
  const { ownedInputs, receivedInputs, sharedInputs, packages } = transaction;
  const count = ownedInputs.length + receivedInputs.length + sharedInputs.length + packages.length;
  if (count <= MOST_NAMED_OBJECTS) return;
  throw new ForecourtError('TOO_MANY_OBJECTS', `${count} are more than ${MOST_NAMED_OBJECTS}`);
}
