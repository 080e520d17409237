import { readNumberOption, readProgramOptions } from '@forecourt/testing/options';
import { chooseSeed } from '@forecourt/testing/seed';
import { countAnswers } from './count-answers.js';
import { runDecisions } from './run-decisions.js';

const HELP = `npm run soak -- decisions [--transactions <n>] [--requests <n>] [--seed <n>]

Decides about random transactions of up to 128 kB by rules that read arguments, types and balances, and executes
on devnet those that a rule allows. Then sends others to a gateway that has these rules. Ends with 1 if a decision
takes more than 50 ms of processor time or fails, the effects of a transaction do not satisfy the rule that allowed
it, memory grows, or the gateway answers as its contract does not say.

  --transactions  number of random transactions (100000)
  --requests      number of transactions that the gateway dry-runs or executes (2000)
  --seed          makes them; the same seed makes the same transactions`;

const values = readProgramOptions(HELP, {
  transactions: { type: 'string', default: '100000' },
  requests: { type: 'string', default: '2000' },
  seed: { type: 'string' },
});
const transactions = readNumberOption('transactions', values.transactions);
const requests = readNumberOption('requests', values.requests);
const seed = values.seed === undefined ? chooseSeed() : readNumberOption('seed', values.seed);
const command = `npm run soak -- decisions --transactions ${transactions} --requests ${requests} --seed ${seed}`;
const say = (text: string) => void process.stderr.write(`${text}\n`);
say(command);
const decided = await runDecisions({ seed, transactions, say });
const { answers, violations: wrong } = await countAnswers(seed, requests);
const { outcomes, cpuMs, heapMiB, ...counts } = decided;
const violations = [...decided.violations, ...wrong];
const rows: (readonly [string, string | number])[] = [
  ['Decisions', counts.transactions],
  ['Largest transaction in bytes', counts.largestBytes],
  ...Object.entries(outcomes).map(([name, count]) => [`Outcome: ${name}`, count] as const),
  ['Executed with success, and compared with the rule', counts.executed],
  ['Processor time of a decision: p50, p99, most, in ms', Object.values(cpuMs).join(', ')],
  [
    'Heap after the first tenth, and the most afterwards, in MiB',
    Object.values(heapMiB).join(', '),
  ],
  ...Object.entries(answers).map(([name, count]) => [`Answer: ${name}`, count] as const),
  ['Violations', violations.length],
];
const table = rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n');
const text = `# Decisions about random transactions\n\n\`${command}\`\n\n| | |\n| - | - |\n${table}\n`;
process.stdout.write(`${text}${violations.map((one) => `${one}\n`).join('')}`);
process.exitCode = violations.length === 0 ? 0 : 1;
