import { warnAboutRules } from '@forecourt/policy/access';
import { createIotaLedger, InvalidTransactionBytes } from '@forecourt/ledger';
import { CONFIGURED_CALLER, readAccessFiles } from '@forecourt/policy/tokens';
import { readAccessConfig } from './access/access-config.js';
import { explainAccess } from './access/explain-access.js';
import { EXIT } from './terminal/exit-codes.js';
import { readBase64 } from './terminal/read-base64.js';
import { readCount } from './terminal/read-count.js';
import { readOptions } from './terminal/read-options.js';
import { runMain } from './terminal/run-main.js';

const HELP = `npm run access -- check                 checks the files of access rules and tokens
npm run access -- explain <tx-bytes>    shows, rule by rule, how they decide about a transaction (base64, or - to read stdin)

  --rules <file>        file of access rules; default: ACCESS_RULES_FILE
  --tokens <file>       file of tokens; default: TOKENS_FILE
  --token <name>        name of the caller's token; default: the caller of GAS_STATION_AUTH
  --gas-budget <n>      reserved budget; default: the transaction's gas budget
  --duration-secs <n>   duration of the reservation; default: 60
  --reference-gas-price <n>   reference for gas-price-ratio; default: 1000
  --ask-hooks           calls hooks; without it they are only shown

Limits count as unused. What the rules may allow unintentionally is printed as a warning. Exit code 0: the transaction is allowed, or the files are valid; 1: it is denied, or they are not; 2: the command failed.`;

async function main(): Promise<number> {
  const options = readOptions(
    HELP,
    {
      rules: { type: 'string' },
      tokens: { type: 'string' },
      token: { type: 'string' },
      'gas-budget': { type: 'string' },
      'duration-secs': { type: 'string', default: '60' },
      'reference-gas-price': { type: 'string', default: '1000' },
      'ask-hooks': { type: 'boolean', default: false },
    },
    2,
  );
  if (options === null) return EXIT.ok;
  const { values } = options;
  const [command, txBytes] = options.positionals;
  const isCheck = command === 'check' && txBytes === undefined;
  if (!isCheck && (command !== 'explain' || txBytes === undefined)) {
    throw new Error(`Name check, or explain with the bytes of a transaction\n\n${HELP}`);
  }
  const config = readAccessConfig();
  const rulesFile = values.rules ?? config.accessRulesFile;
  const tokensFile = values.tokens ?? config.tokensFile;
  const files = await readAccessFiles(tokensFile, rulesFile).catch((error: unknown) => {
    console.error((error as Error).message);
    return null;
  });
  if (files === null) return EXIT.negative;
  for (const warning of warnAboutRules(files.rules)) console.error(`warning: ${warning}`);
  if (command === 'check') {
    const { rules, tokens } = files;
    console.log(`${rules.rules.length} rules, policy ${rules.policy}; ${tokens.length} tokens`);
    return EXIT.ok;
  }
  const base64 = readBase64(txBytes!);
  const ledger = createIotaLedger({ urls: ['http://127.0.0.1:0'] });
  const transaction = ledger.decodeTransaction(Buffer.from(base64, 'base64'));
  const caller =
    values.token === undefined
      ? CONFIGURED_CALLER
      : files.tokens.find(({ caller: { name } }) => name === values.token)?.caller;
  if (!caller) throw new Error(`the file of tokens has no token named ${values.token}`);
  const { text, allowed } = await explainAccess(files.rules, caller, {
    transaction,
    transactionJson: () => ledger.transactionJson(transaction),
    referenceGasPrice: BigInt(readCount('--reference-gas-price', values['reference-gas-price'])),
    gasBudget:
      values['gas-budget'] === undefined
        ? Number(transaction.gasBudget)
        : readCount('--gas-budget', values['gas-budget']),
    durationSecs: readCount('--duration-secs', values['duration-secs']),
    txBytes: base64,
    askHooks: values['ask-hooks'],
  });
  console.log(text);
  return allowed ? EXIT.ok : EXIT.negative;
}

await runMain(() =>
  main().catch((error: unknown) => {
    if (!(error instanceof InvalidTransactionBytes)) throw error;
    throw new Error(`Invalid transaction bytes: ${error.message}`);
  }),
);
