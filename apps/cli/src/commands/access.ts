import {
  createIotaLedger,
  type DecodedTransaction,
  InvalidTransactionBytes,
  type Ledger,
} from '@forecourt/ledger';
import { type AccessFiles, CONFIGURED_CALLER, readAccessFiles } from '@forecourt/policy/tokens';
import {
  type AccessSubject,
  AccessUndecided,
  warnAboutLimits,
  warnAboutRules,
} from '@forecourt/policy/access';
import { Argument, Command } from 'commander';
import { formatReplay, readProposedRules, replayAccess } from '../access/replay-access.js';
import { readAccessConfig } from '../terminal/command-config.js';
import { compilePolicy } from '../access/compile-policy.js';
import { warnAboutFunctions } from '../access/warn-about-functions.js';
import { explainAccess } from '../access/explain-access.js';
import { EXIT } from '../terminal/exit-codes.js';
import { readConnection } from '../terminal/connection-config.js';
import { formatJson } from '../terminal/format-table.js';
import { readBase64, readCount, readTime } from '../terminal/read-arguments.js';

interface AccessOptions {
  readonly rules?: string;
  readonly inForce?: string;
  readonly tokens?: string;
  readonly token?: string;
  readonly gasBudget?: string;
  readonly durationSecs: string;
  readonly referenceGasPrice: string;
  readonly askHooks?: boolean;
  readonly abstractAccount?: boolean;
  readonly ledgerUrl?: string;
  readonly rule: readonly string[];
  readonly out: string;
  readonly opa: string;
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

/**
 * `access`: checks the files of rules and tokens, explains what they decide, tries rules on past traffic, and
 * compiles policies.
 */
export function accessCommand(): Command {
  return new Command('access')
    .addArgument(new Argument('<action>').choices(['check', 'explain', 'replay', 'compile']))
    .argument('[input]', 'explain: the transaction in base64; -: standard input; compile: a file')
    .option('--rules <file>', 'file of access rules; default: ACCESS_RULES_FILE')
    .option('--in-force <file>', 'for replay: the rules in force; default: ACCESS_RULES_FILE')
    .option('--tokens <file>', 'file of tokens; default: TOKENS_FILE')
    .option(
      '--token <name>',
      'name of the caller’s token; default: the caller of GAS_STATION_AUTH; for replay: all tokens',
    )
    .option(
      '--from <time>',
      'for replay: beginning of the period: 2026-11-25, 2026-11-25T13:00Z, or ms since 1970',
    )
    .option('--to <time>', 'for replay: its end; default: now')
    .option('--json', 'for replay, for programs')
    .option('--gas-budget <n>', 'reserved budget; default: the transaction’s gas budget')
    .option('--duration-secs <n>', 'duration of the reservation', '60')
    .option('--reference-gas-price <n>', 'reference for gas-price-ratio', '1000')
    .option('--abstract-account', 'the sender is an abstract account')
    .option(
      '--ledger-url <url>',
      'node that rules on arguments and balance changes ask; for check: has the functions that rules name',
    )
    .option(
      '--rule <path>',
      'for compile: a rule, such as data.matchers.allowed; repeatable',
      collect,
      [],
    )
    .option('--out <file>', 'for compile: the compiled policy', 'policy.wasm')
    .option('--opa <program>', 'for compile: OPA', 'opa')
    .option('--ask-hooks', 'call hooks; without it they are only shown')
    .addHelpText(
      'after',
      `
Limits count as unused. For replay this command reads recorded traffic from the gas station (role operator or auditor), and
decides about it here by --rules beside the rules in force. Rules that may allow more than intended are reported as warnings.

Exit code 0: the transaction is allowed, the files are valid, or no decision would change; 1: otherwise; 2: the command failed.`,
    )
    .action(async (action: string, input: string | undefined, options: AccessOptions) => {
      if (['check', 'replay'].includes(action) !== (input === undefined)) {
        throw new Error(
          'Name check or replay, explain with the bytes of a transaction, or compile with a file',
        );
      }
      if (action === 'compile') return compile(input!, options);
      if (action === 'replay') return replay(options);
      const files = await readFiles(options);
      if (files === null) process.exitCode = EXIT.negative;
      else if (input === undefined) await describeFiles(files, options);
      else await explain(files, readBase64(input), options);
    });
}

const collect = (one: string, all: readonly string[]) => [...all, one];

async function compile(source: string, { rule: rules, out, opa }: AccessOptions): Promise<void> {
  if (rules.length === 0)
    throw new Error('Name the rule that decides: --rule data.matchers.allowed');
  await compilePolicy({ source, rules, out, opa });
  console.log(
    `${out}: use it with location-type: file, path: ${out}, rego-rule-path: ${rules[0]!}`,
  );
}

/** A condition that needs the network leaves a decision undecided. */
const OFFLINE = { isOffline: true };

async function replay(options: AccessOptions): Promise<void> {
  const { rules, inForce, tokens, from, to, token, json = false } = options;
  if (rules === undefined || from === undefined) {
    throw new Error(
      'Name the proposed rules with --rules, and the beginning of the period with --from',
    );
  }
  const config = readAccessConfig();
  const request = {
    files: await readAccessFiles(
      tokens ?? config.tokensFile,
      inForce ?? config.accessRulesFile,
      OFFLINE,
    ),
    proposed: await readProposedRules(rules),
    from: readTime('--from', from),
    to: to === undefined ? Date.now() : readTime('--to', to),
    token,
  };
  const report = await replayAccess(readConnection(), request, (records, time) => {
    if (process.stderr.isTTY) {
      process.stderr.write(`\r${records} decisions, up to ${new Date(time).toISOString()} …`);
    }
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  console.log(json ? formatJson(report) : formatReplay(report));
  if (report.changed > 0) process.exitCode = EXIT.negative;
}

/** Null, after a message, if the files are invalid. */
async function readFiles({ rules, tokens }: AccessOptions): Promise<AccessFiles | null> {
  const config = readAccessConfig();
  try {
    const files = await readAccessFiles(
      tokens ?? config.tokensFile,
      rules ?? config.accessRulesFile,
    );
    const budgets = new Map(files.tokens.map(({ caller }) => [caller.token, caller.budget]));
    const limits = warnAboutLimits(files.rules, budgets);
    for (const warning of [...warnAboutRules(files.rules), ...limits]) {
      console.error(`warning: ${warning}`);
    }
    return files;
  } catch (error) {
    console.error((error as Error).message);
    return null;
  }
}

async function describeFiles({ rules, tokens }: AccessFiles, { ledgerUrl }: AccessOptions) {
  if (ledgerUrl !== undefined) {
    const ledger = createIotaLedger({ urls: [ledgerUrl] });
    for (const warning of await warnAboutFunctions(rules, ledger)) {
      console.error(`warning: ${warning}`);
    }
  }
  console.log(`${rules.rules.length} rules, policy ${rules.policy}; ${tokens.length} tokens`);
}

async function explain(files: AccessFiles, txBytes: string, options: AccessOptions) {
  const { token, gasBudget, durationSecs, referenceGasPrice } = options;
  const { askHooks = false, abstractAccount = false, ledgerUrl } = options;
  const ledger = createIotaLedger({ urls: [ledgerUrl ?? 'http://127.0.0.1:0'] });
  const transaction = decode(ledger, txBytes);
  const caller =
    token === undefined
      ? CONFIGURED_CALLER
      : files.tokens.find(({ caller: { name } }) => name === token)?.caller;
  if (!caller) throw new Error(`the file of tokens has no token named ${token}`);
  const { text, allowed } = await explainAccess(files.rules, caller, {
    transaction,
    transactionJson: () => ledger.transactionJson(transaction),
    ...factsOf(transaction, ledgerUrl === undefined ? null : ledger),
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

/** Facts that rules ask the ledger for; null: no node is named. */
function factsOf(
  transaction: DecodedTransaction,
  ledger: Ledger | null,
): Pick<AccessSubject, 'readArguments' | 'readBalanceChanges'> {
  if (!ledger) {
    const reason = 'a rule reads arguments or balance changes; name a node with --ledger-url';
    const refuse = () => Promise.reject(new AccessUndecided(reason));
    return { readArguments: refuse, readBalanceChanges: refuse };
  }
  return {
    readArguments: (isRelevant) => ledger.readArguments(transaction, isRelevant),
    readBalanceChanges: async () => {
      const tried = await ledger.dryRun(transaction);
      if (tried.kind !== 'accepted') return null;
      const { effects, balanceChanges } = tried.simulated;
      if (effects.status.status !== 'success') return null;
      return ledger.readBalanceChanges(balanceChanges, transaction.gasOwner, effects);
    },
  };
}

function decode(ledger: ReturnType<typeof createIotaLedger>, txBytes: string) {
  try {
    return ledger.decodeTransaction(Buffer.from(txBytes, 'base64'));
  } catch (error) {
    if (!(error instanceof InvalidTransactionBytes)) throw error;
    throw new Error(`Invalid transaction bytes: ${error.message}`);
  }
}
