import { createIotaLedger, InvalidTransactionBytes } from '@forecourt/ledger';
import { type AccessFiles, CONFIGURED_CALLER, readAccessFiles } from '@forecourt/policy/tokens';
import { warnAboutRules } from '@forecourt/policy/access';
import { Argument, Command } from 'commander';
import { readAccessConfig } from '../terminal/command-config.js';
import { explainAccess } from '../access/explain-access.js';
import { EXIT } from '../terminal/exit-codes.js';
import { readBase64, readCount } from '../terminal/read-arguments.js';

interface AccessOptions {
  readonly rules?: string;
  readonly tokens?: string;
  readonly token?: string;
  readonly gasBudget?: string;
  readonly durationSecs: string;
  readonly referenceGasPrice: string;
  readonly askHooks?: boolean;
  readonly abstractAccount?: boolean;
}

/** `access`: checks the files of rules and tokens, and explains what they decide. */
export function accessCommand(): Command {
  return new Command('access')
    .description('check access rules, or explain what they decide about a transaction')
    .addArgument(new Argument('<action>').choices(['check', 'explain']))
    .argument('[tx-bytes]', 'for explain: the transaction in base64; -: standard input')
    .option('--rules <file>', 'file of access rules; default: ACCESS_RULES_FILE')
    .option('--tokens <file>', 'file of tokens; default: TOKENS_FILE')
    .option('--token <name>', 'name of the caller’s token; default: the caller of GAS_STATION_AUTH')
    .option('--gas-budget <n>', 'reserved budget; default: the transaction’s gas budget')
    .option('--duration-secs <n>', 'duration of the reservation', '60')
    .option('--reference-gas-price <n>', 'reference for gas-price-ratio', '1000')
    .option('--abstract-account', 'the sender is an abstract account')
    .option('--ask-hooks', 'call hooks; without it they are only shown')
    .addHelpText(
      'after',
      `
Limits count as unused. Rules that may allow more than intended are reported as warnings.

Exit code 0: the transaction is allowed, or the files are valid; 1: it is denied, or they are not; 2: the command failed.`,
    )
    .action(async (action: string, txBytes: string | undefined, options: AccessOptions) => {
      if ((action === 'explain') !== (txBytes !== undefined)) {
        throw new Error('Name check, or explain with the bytes of a transaction');
      }
      const files = await readFiles(options);
      if (files === null) process.exitCode = EXIT.negative;
      else if (txBytes === undefined) describeFiles(files);
      else await explain(files, readBase64(txBytes), options);
    });
}

/** Null, after a message, if the files are invalid. */
async function readFiles({ rules, tokens }: AccessOptions): Promise<AccessFiles | null> {
  const config = readAccessConfig();
  try {
    const files = await readAccessFiles(
      tokens ?? config.tokensFile,
      rules ?? config.accessRulesFile,
    );
    for (const warning of warnAboutRules(files.rules)) console.error(`warning: ${warning}`);
    return files;
  } catch (error) {
    console.error((error as Error).message);
    return null;
  }
}

function describeFiles({ rules, tokens }: AccessFiles): void {
  console.log(`${rules.rules.length} rules, policy ${rules.policy}; ${tokens.length} tokens`);
}

async function explain(files: AccessFiles, txBytes: string, options: AccessOptions) {
  const { token, gasBudget, durationSecs, referenceGasPrice } = options;
  const { askHooks = false, abstractAccount = false } = options;
  const ledger = createIotaLedger({ urls: ['http://127.0.0.1:0'] });
  const transaction = decode(ledger, txBytes);
  const caller =
    token === undefined
      ? CONFIGURED_CALLER
      : files.tokens.find(({ caller: { name } }) => name === token)?.caller;
  if (!caller) throw new Error(`the file of tokens has no token named ${token}`);
  const { text, allowed } = await explainAccess(files.rules, caller, {
    transaction,
    transactionJson: () => ledger.transactionJson(transaction),
    referenceGasPrice: BigInt(readCount('--reference-gas-price', referenceGasPrice)),
    gasBudget:
      gasBudget === undefined
        ? Number(transaction.gasBudget)
        : readCount('--gas-budget', gasBudget),
    durationSecs: readCount('--duration-secs', durationSecs),
    txBytes,
    askHooks,
    isOfAbstractAccount: abstractAccount,
  });
  console.log(text);
  if (!allowed) process.exitCode = EXIT.negative;
}

function decode(ledger: ReturnType<typeof createIotaLedger>, txBytes: string) {
  try {
    return ledger.decodeTransaction(Buffer.from(txBytes, 'base64'));
  } catch (error) {
    if (!(error instanceof InvalidTransactionBytes)) throw error;
    throw new Error(`Invalid transaction bytes: ${error.message}`);
  }
}
