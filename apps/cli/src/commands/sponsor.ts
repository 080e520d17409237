import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { GasStation } from '@forecourt/client';
import { createLocalSigner, formatAmount, netGas, type Signer } from '@forecourt/ledger';
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
      const transaction = readBase64(bytes);
      const budget =
        gasBudget === undefined ? {} : { gasBudget: readCount('--gas-budget', gasBudget) };
      await sponsor({ transaction, signer, ...budget }, json);
    });
}

/** BCS of the kind of a transaction that calls `0x2::clock::timestamp_ms`, which every network has. */
const CLOCK_CALL =
  'AAEBAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGAQAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgVjbG9jawx0aW1lc3RhbXBfbXMAAQEAAA==';
const ED25519 = 0;

/** `try`: the same for a new user and a call that every network has, to see that a gas station works. */
export function tryCommand(): Command {
  return new Command('try')
    .option('--json', 'for programs')
    .action(async ({ json = false }: Pick<SponsorOptions, 'json'>) => {
      const key = Buffer.from([ED25519, ...randomBytes(32)]).toString('base64');
      await sponsor({ transaction: readBase64(CLOCK_CALL), signer: createLocalSigner(key) }, json);
    });
}

interface Sponsored {
  /** Base64. */
  readonly transaction: string;
  readonly signer: Signer;
  readonly gasBudget?: number;
}

async function sponsor(request: Sponsored, json: boolean): Promise<void> {
  const connection = readConnection();
  await requireGasStation(connection);
  const { digest, effects } = await new GasStation(connection).sponsor(request);
  const { status } = effects;
  if (status.status !== 'success') process.exitCode = EXIT.negative;
  if (json) return console.log(formatJson({ digest, effects }));
  console.log(
    formatTable([
      ['digest', digest],
      ['sender', request.signer.address],
      ['outcome', [status.status, status.error].filter(Boolean).join(': ')],
      ['gas', formatAmount(netGas(effects))],
      ['console', `${connection.url}/console/sponsorships?q=${digest}`],
    ]),
  );
}
