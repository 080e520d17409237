import { Transaction } from '@iota/iota-sdk/transactions';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';

/** The only function that visitors may call at the sponsor's expense. Put your application's own here. */
const PACKAGE = normalizeIotaAddress('0xdec0');
const MODULE = 'garage';
const FUNCTION = 'build_car';
/** Its arguments are values; objects could only be listed to cause work or to lock them. */
const ARGUMENTS = 2;

/**
 * Whether a `TransactionKind` (BCS, base64) does what visitors are offered and nothing else. Whatever is not checked here
 * is sponsored: a backend that passes everything on lets anybody spend the sponsor's gas.
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
    return false; // no bytes of a transaction kind
  }
}
