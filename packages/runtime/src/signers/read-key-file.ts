import { readFile } from 'node:fs/promises';
import { createLocalSigner, type Signer } from '@forecourt/ledger';
import { fleetVariables } from '../config/index.js';

/**
 * The signers of the keys in a file, in the format of SPONSOR_KEYS. Throws `Error` when the file cannot be read or
 * has no key, and `TypeError` for a malformed key; no message contains a key.
 */
export async function readKeyFile(file: string): Promise<readonly Signer[]> {
  const keys = fleetVariables.sponsorKeys.parse((await readFile(file, 'utf8')).trim());
  if (keys.length === 0) throw new Error(`${file} holds no key`);
  return keys.map((key) => createLocalSigner(key));
}
