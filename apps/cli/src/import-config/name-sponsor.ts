import { parseKeyEntries, readKeyAddress, type ServiceEntry } from '@forecourt/key-services';
import type { ImportedSettings } from './import-settings.js';

/**
 * Adds the sponsor's address to the entry of a sidecar, which a configuration of IOTA's gas station does not have: asks the
 * sidecar. A remark says what to do where it does not answer.
 */
export async function nameSponsor(imported: ImportedSettings): Promise<ImportedSettings> {
  const { variables, remarks } = imported;
  const entry = variables.get('SPONSOR_KEYS');
  if (!entry?.startsWith('sidecar+')) return imported;
  try {
    const [read] = parseKeyEntries([entry], { needsAddress: false });
    const address = await readKeyAddress(read as ServiceEntry);
    const complete = `${entry}?address=${address}`;
    parseKeyEntries([complete]);
    return { variables: new Map([...variables, ['SPONSOR_KEYS', complete]]), remarks };
  } catch (error) {
    const remark = `SPONSOR_KEYS lacks the sponsor’s address, since the sidecar did not tell it (${(error as Error).message}): add ?address=0x… to the entry; where the sidecar answers, \`npm run forecourt -- doctor --signer ${entry}\` shows it.`;
    return { variables, remarks: [remark, ...remarks] };
  }
}
