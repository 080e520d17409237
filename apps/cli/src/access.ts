import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { warnAboutRules } from '@forecourt/policy/access';
import { createIotaLedger, InvalidTransactionBytes } from '@forecourt/ledger';
import { CONFIGURED_CALLER, readAccessFiles } from '@forecourt/policy/tokens';
import { readAccessConfig } from './access/access-config.js';
import { explainAccess } from './access/explain-access.js';

const HELP = `npm run access -- check                 checks the files of rules and tokens
npm run access -- explain <tx-bytes>    shows, rule by rule, what they decide of a transaction (base64, or - to read it)

  --rules <file>        the rules; by default those that ACCESS_RULES_FILE names
  --tokens <file>       the tokens; by default those that TOKENS_FILE names
  --token <name>        who asks; by default the caller of GAS_STATION_AUTH
  --gas-budget <n>      what is reserved; by default the transaction's own budget
  --duration-secs <n>   for how long; by default 60
  --reference-gas-price <n>   what gas-price-ratio compares with; by default 1000
  --ask-hooks           asks hooks; without it they are shown and not asked

Limits are taken as unused. What the rules may allow by oversight is printed as a warning. Exit code 0: allowed, or the files are right; 1: not; 2: it could not be done.`;

const COULD_NOT = 2;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rules: { type: 'string' },
      tokens: { type: 'string' },
      token: { type: 'string' },
      'gas-budget': { type: 'string' },
      'duration-secs': { type: 'string', default: '60' },
      'reference-gas-price': { type: 'string', default: '1000' },
      'ask-hooks': { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  const [command, txBytes] = positionals;
  if (values.help || (command !== 'check' && (command !== 'explain' || txBytes === undefined))) {
    console.log(HELP);
    return values.help ? 0 : COULD_NOT;
  }
  const config = readAccessConfig();
  const rulesFile = values.rules ?? config.accessRulesFile;
  const tokensFile = values.tokens ?? config.tokensFile;
  const files = await readAccessFiles(tokensFile, rulesFile).catch((error: unknown) => {
    console.error((error as Error).message);
    return null;
  });
  if (files === null) return 1;
  for (const warning of warnAboutRules(files.rules)) console.error(`warning: ${warning}`);
  if (command === 'check') {
    const { rules, tokens } = files;
    console.log(`${rules.rules.length} rules, policy ${rules.policy}; ${tokens.length} tokens`);
    return 0;
  }
  const base64 = txBytes === '-' ? readFileSync(0, 'utf8').trim() : txBytes!;
  const ledger = createIotaLedger({ url: 'http://127.0.0.1:0' });
  const transaction = ledger.decodeTransaction(Buffer.from(base64, 'base64'));
  const caller =
    values.token === undefined
      ? CONFIGURED_CALLER
      : files.tokens.find(({ caller: { name } }) => name === values.token)?.caller;
  if (!caller) throw new Error(`there is no token ${values.token}`);
  const { text, allowed } = await explainAccess(files.rules, caller, {
    transaction,
    transactionJson: () => ledger.transactionJson(transaction),
    referenceGasPrice: BigInt(values['reference-gas-price']),
    gasBudget: Number(values['gas-budget'] ?? transaction.gasBudget),
    durationSecs: Number(values['duration-secs']),
    txBytes: base64,
    askHooks: values['ask-hooks'],
  });
  console.log(text);
  return allowed ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isBytes = error instanceof InvalidTransactionBytes;
  console.error(isBytes ? `Invalid transaction bytes: ${error.message}` : String(error));
  process.exitCode = COULD_NOT;
}
