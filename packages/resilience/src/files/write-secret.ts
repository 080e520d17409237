import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { refuseLink } from './own-folder.js';

const OWNER_ONLY = 0o600;

/**
 * Writes a file with a secret, or replaces it: a process that has the former file open, or another name for
 * it, gets nothing. The file always has the mode. Throws `UnsafePlace` for a link.
 */
export function writeSecret(file: string, text: string, mode = OWNER_ONLY): void {
  refuseLink(file);
  const written = `${file}.${randomBytes(8).toString('hex')}`;
  const descriptor = openSync(written, 'wx', OWNER_ONLY);
  try {
    writeFileSync(descriptor, text);
    // The mask of the process must not change it.
    fchmodSync(descriptor, mode);
    renameSync(written, file);
  } catch (error) {
    rmSync(written, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
