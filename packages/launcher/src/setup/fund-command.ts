import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fundSponsor } from '@forecourt/testing/system';
import { connectLedger } from '../start/connect-ledger.js';
import { Failure, readOptions } from '../workspace/command.js';
import { CALLER_FOLDER, environment } from '../workspace/workspace-config.js';

const HELP = `forecourt fund --sponsors <file> [--faucet <url>]

Asks the faucet at FAUCET_URL for coins for each sponsor who owns none on the ledger at LEDGER_URL. Without a faucet, or with
FAUCET_URL=none, it names the addresses that need coins.

  --sponsors  a file with an address in each line
  --faucet    the faucet where FAUCET_URL is not set`;

/** `forecourt fund`: 0 also where somebody else has to send the coins. */
export async function fundCommand(args: string[]): Promise<number> {
  const options = readOptions(
    HELP,
    { sponsors: { type: 'string' }, faucet: { type: 'string', default: 'none' } },
    args,
  );
  if (options === null) return 0;
  if (options.sponsors === undefined) throw new Failure(`Name the file of the sponsors\n\n${HELP}`);
  const text = readFileSync(resolve(CALLER_FOLDER, options.sponsors), 'utf8');
  const ledger = connectLedger(environment);
  const named = environment['FAUCET_URL'] || options.faucet;
  const faucet = named === 'none' ? undefined : named;
  for (const address of text.split(/\s+/).filter(Boolean)) {
    try {
      await fundSponsor(ledger, address, faucet);
      process.stdout.write(`${address} owns coins\n`);
    } catch (error) {
      if (faucet !== undefined) throw new Failure((error as Error).message);
      process.stdout.write(`${(error as Error).message}\n`);
    }
  }
  return 0;
}
