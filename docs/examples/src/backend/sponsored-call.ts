import { Transaction } from '@iota/iota-sdk/transactions';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';

/** The only function that visitors may call at the sponsor's expense. Put your application's own here. */
const PACKAGE = normalizeIotaAddress('0xdec0');
const MODULE = 'garage';
const FUNCTION = 'build_car';
/** Number of arguments. All are values: input objects would only cause work or be locked. */
const ARGUMENTS = 2;

/**
 * Whether a `TransactionKind` (BCS, base64) is one call of that function and nothing else. A backend that
 * does not check this lets anybody spend the sponsor's gas on anything.
 */
export function isSponsoredCall(kindBytes: string): boolean {
  try {
    const { commands, inputs } = Transaction.fromKind(kindBytes).getData();
    const call = commands[0]?.MoveCall;
    return (
      commands.length === 1 &&
      call?.package === PACKAGE &&
      call.module === MODULE &&
      call.function === FUNCTION &&
      inputs.length === ARGUMENTS &&
      inputs.every(({ Pure }) => Pure !== undefined)
    );
  } catch {
    return false; // not a TransactionKind
  }
}
