import { fromBase64, toHex } from '@iota/iota-sdk/utils';
import { Transaction } from '@iota/iota-sdk/transactions';

/** The Move functions that `build-maintenance.ts` calls. */
const COMMANDS: readonly string[] = ['SplitCoins', 'TransferObjects', 'MakeMoveVec'];
const ADDRESS_BYTES = 32;

/**
 * See `Ledger.findRecipients`. An address can only be an input by value: these commands return
 * coins and vectors.
 */
export function findRecipients(bytes: Uint8Array): readonly string[] | null {
  const { commands, inputs } = Transaction.from(bytes).getData();
  if (!commands.every(({ $kind }) => COMMANDS.includes($kind))) return null;
  const recipients = new Set<string>();
  for (const input of inputs) {
    if (input.$kind !== 'Pure') return null;
    const value = fromBase64(input.Pure.bytes);
    if (value.length === ADDRESS_BYTES) recipients.add(`0x${toHex(value)}`);
  }
  return [...recipients];
}
