import { parseKeyEntries, readKeyAddress, type ServiceEntry } from '@forecourt/key-services';
import type { ImportedSettings } from './import-settings.js';

/**
 * Adds the sponsor's address to the entry of a sidecar, which a configuration of IOTA's gas station does not
 * have: asks the sidecar. Throws `Error` that says what to do where it does not answer.
 */
export async function nameSponsor(imported: ImportedSettings): Promise<ImportedSettings> {
  const { variables, remarks } = imported;
  const entry = variables.get('SPONSOR_KEYS');
  if (!entry?.startsWith('sidecar+') || entry.includes('?address=')) return imported;
  try {
    const [read] = parseKeyEntries([entry], { needsAddress: false });
    const address = await readKeyAddress(read as ServiceEntry);
    const complete = `${entry}?address=${address}`;
    parseKeyEntries([complete]);
    return { variables: new Map([...variables, ['SPONSOR_KEYS', complete]]), remarks };
  } catch (error) {
    throw new Error(
      `The sidecar did not tell the sponsor’s address (${(error as Error).message}). Import the file where the sidecar answers, or add ?address=0x… to sidecar-url`,
      { cause: error },
    );
  }
}
