import { readFileSync } from 'node:fs';
import { fundSponsor } from '@forecourt/testing/system';
import { Command } from 'commander';
import { connectLedger } from '../start/connect-ledger.js';
import { Failure } from '../workspace/failure.js';
import { environment } from '../workspace/workspace-config.js';

/** `fund`: 0 also where somebody else has to send the coins. */
export function fundCommand(): Command {
  return (
    new Command('fund')
      // Not a required option, which would be reported before an unknown one.
      .option('--sponsors <file>', 'a file with an address in each line')
      .option('--faucet <url>', 'the faucet where FAUCET_URL is not set', 'none')
      .addHelpText(
        'after',
        `
Asks the faucet at FAUCET_URL for coins for each sponsor who owns none on the ledger at LEDGER_URL. Without a faucet, or with
FAUCET_URL=none, it names the addresses that need coins.`,
      )
      .action(fund)
  );
}

async function fund(options: { readonly sponsors?: string; readonly faucet: string }) {
  if (options.sponsors === undefined) {
    throw new Failure('Name the file of the sponsors with --sponsors');
  }
  const text = readFileSync(options.sponsors, 'utf8');
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
}
