import {
  type AccessSubject,
  decideAccess,
  type KnownUsages,
  readAccessRules,
  type RuleSet,
} from '@forecourt/policy/access';
import { createIotaLedger, type DecodedTransaction } from '@forecourt/ledger';
import { median, type Row } from './row.js';
import { runBenchmark } from './run-benchmark.js';
import { sampleTransaction } from './samples.js';

const HELP = `npm run bench -- access

Measures decisions of the access rules over a typical transaction, beside decoding the same transaction. Takes about
ten seconds.`;

const ROUNDS = 9;
const ROUND_US = 300_000;
const TARGET_US = 100;
const UNUSED: KnownUsages = new Map();

const ledger = createIotaLedger({ urls: ['http://127.0.0.1:0'] });

/** The rules of a kind: only the last one matches the transaction. */
const kinds: Readonly<Record<string, (index: number) => string>> = {
  senders: (index) => `    - sender-address: '0x${(index + 16).toString(16)}'\n      action: deny`,
  'senders, packages, functions, budgets and commands': (index) =>
    [
      `    - sender-address: ['0x${(index + 16).toString(16)}', '0x${index + 99}']\n      action: deny`,
      `    - move-call-package-address: '0x${(index + 16).toString(16)}'\n      action: allow`,
      `    - move-call-function: '0x${(index + 16).toString(16)}::market::*'\n      transaction-gas-budget: '<=5000000'\n      action: allow`,
      `    - transaction-gas-budget: '>${2_000_000_000 + index}'\n      action: deny`,
      `    - ptb-command-count: '>${100 + index}'\n      sender-address: '*'\n      action: deny`,
    ][index % 5]!,
};
const expression = (index: number) =>
  `    - expression: 'tx.calls.exists(c, c.module == "m${index}")'\n      action: deny`;

async function aFile(count: number, rule: (index: number) => string): Promise<RuleSet> {
  const rules = Array.from({ length: count - 1 }, (_, index) => rule(index));
  const last = `    - move-call-function: '*::garage::build_car'
      command-kind: [MoveCall, TransferObjects]
      gas-usage: { value: '<=0.5 IOTA', window: 1 day, count-by: [sender-address] }
      action: allow`;
  const text = `access-controller:\n  access-policy: deny-all\n  rules:\n${[...rules, last].join('\n')}\n`;
  return readAccessRules(text, '/rules.yaml');
}

function subjectOf(transaction: DecodedTransaction): AccessSubject {
  return {
    caller: 'default',
    reservation: { gasBudget: 5_000_000, durationSecs: 60 },
    time: new Date(),
    sponsor: null,
    transaction,
    largestCost: transaction.gasBudget,
    transactionJson: () => ({}),
    readArguments: () => Promise.resolve(() => []),
    readBalanceChanges: () => Promise.resolve(null),
    header: () => undefined,
    referenceGasPrice: 1_000n,
    reservationId: 1,
    txBytes: '',
    userSig: '',
  };
}

/** Median processor time of one run in µs. Other work on the machine does not affect it. */
async function measure(run: () => unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    let runs = 0;
    let spent = 0;
    while (spent < ROUND_US) {
      for (let i = 0; i < 50; i++) await run();
      runs += 50;
      const { user, system } = process.cpuUsage(before);
      spent = user + system;
    }
    rounds.push(spent / runs);
  }
  return median(rounds);
}

async function bench(): Promise<Row[]> {
  const bytes = await sampleTransaction();
  const subject = subjectOf(ledger.decodeTransaction(bytes));
  const decoding = await measure(() => ledger.decodeTransaction(bytes));
  const rows: Row[] = [];
  const add = async (what: string, ruleSet: RuleSet, target?: number) => {
    const decide = () =>
      decideAccess(ruleSet, subject, {
        known: UNUSED,
        caps: [],
        askHook: () => Promise.reject(new Error('no rule of this benchmark calls a hook')),
      });
    if ((await decide()).outcome !== 'allow') throw new Error(`${what}: not allowed`);
    const value = await measure(decide);
    rows.push({
      what,
      value,
      unit: 'µs a decision',
      ratio: value / decoding,
      reference: `decoding the transaction, ${decoding.toFixed(1)} µs`,
      ...(target !== undefined && { target: `below ${target} µs`, isMet: value < target }),
    });
  };
  for (const [name, rule] of Object.entries(kinds)) {
    await add(`1000 rules: ${name}`, await aFile(1_000, rule), TARGET_US);
  }
  await add('10 rules', await aFile(10, Object.values(kinds)[1]!));
  await add('10 rules with an expression each', await aFile(10, expression));
  return rows;
}

await runBenchmark({
  help: HELP,
  options: {},
  measure: async () => ({ rows: await bench() }),
});
