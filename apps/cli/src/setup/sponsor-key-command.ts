import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadOrCreateSponsorKeys } from '@forecourt/testing/system';
import { Command } from 'commander';
import { Failure } from '../workspace/failure.js';

/** `secrets sponsor`: a key for a fleet that runs. */
export function sponsorKeyCommand(): Command {
  return new Command('sponsor')
    .description(
      'make the key of one more sponsor, and show its address; only you can read the file',
    )
    .option('--out <file>', 'the file, which must not exist', 'sponsor.key')
    .action(makeSponsorKey);
}

function makeSponsorKey({ out }: { readonly out: string }): void {
  const file = resolve(out);
  if (existsSync(file)) throw new Failure(`${file} exists. Name another file with --out`);
  const [sponsor] = loadOrCreateSponsorKeys(file);
  process.stdout.write(
    `${file} has the key of ${sponsor!.address}. Who has it can spend its coins\n`,
  );
}
