import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { GasStation } from '@forecourt/client';
import { createLocalSigner, formatAmount, netGas } from '@forecourt/ledger';
import { EXIT } from '../terminal/exit-codes.js';
import { formatJson, formatTable } from '../terminal/format-table.js';
import { readBase64, readCount } from '../terminal/read-arguments.js';
import { readConnection } from '../terminal/connection-config.js';
import { requireGasStation } from '../terminal/call-route.js';

interface SponsorOptions {
  readonly keyFile: string;
  readonly gasBudget?: string;
  readonly json?: boolean;
}

/** `sponsor`: has a transaction built, signs it with a key from a file, and has it executed. */
export function sponsorCommand(): Command {
  return new Command('sponsor')
    .description('have a transaction sponsored: built, signed with a key from a file, and executed')
    .argument('<kind-bytes>', 'BCS of its TransactionKind in base64; -: standard input')
    .requiredOption('--key-file <file>', 'the user’s key: base64 of flag and key, or iotaprivkey1…')
    .option(
      '--gas-budget <n>',
      'in the smallest unit (10⁻⁹ IOTA); default: what a dry run suggests',
    )
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      '\nExit code 0: executed; 1: executed, but it failed in Move; 2: not executed.',
    )
    .action(async (bytes: string, { keyFile, gasBudget, json = false }: SponsorOptions) => {
      const signer = createLocalSigner(readFileSync(keyFile, 'utf8').trim());
      const connection = readConnection();
      await requireGasStation(connection);
      const { digest, effects } = await new GasStation(connection).sponsor({
        transaction: readBase64(bytes),
        signer,
        ...(gasBudget !== undefined && { gasBudget: readCount('--gas-budget', gasBudget) }),
      });
      const { status } = effects;
      if (status.status !== 'success') process.exitCode = EXIT.negative;
      if (json) return console.log(formatJson({ digest, effects }));
      const outcome = [status.status, status.error].filter(Boolean).join(': ');
      console.log(
        formatTable([
          ['digest', digest],
          ['sender', signer.address],
          ['outcome', outcome],
          ['gas', formatAmount(netGas(effects))],
        ]),
      );
    });
}
