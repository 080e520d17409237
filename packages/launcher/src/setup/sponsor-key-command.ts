import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadOrCreateSponsorKeys } from '@forecourt/testing/system';
import { Failure, readOptions } from '../workspace/command.js';
import { CALLER_FOLDER } from '../workspace/workspace-config.js';

const HELP = `forecourt secrets sponsor [--out sponsor.key]

Makes the key of one sponsor, for a fleet that runs, and shows its address. Only you can read the file.

  --out  the file, which must not exist`;

/** `forecourt secrets sponsor`. */
export async function sponsorKeyCommand(args: string[]): Promise<number> {
  const options = readOptions(HELP, { out: { type: 'string', default: 'sponsor.key' } }, args);
  if (options === null) return 0;
  const file = resolve(CALLER_FOLDER, options.out);
  if (existsSync(file)) throw new Failure(`${file} exists. Name another file with --out`);
  const [sponsor] = loadOrCreateSponsorKeys(file);
  process.stdout.write(
    `${file} has the key of ${sponsor!.address}. Who has it can spend its coins\n`,
  );
  return 0;
}
