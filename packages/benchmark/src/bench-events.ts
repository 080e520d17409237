import { parseArgs } from 'node:util';
import { benchMatching } from './bench-matching.js';
import { benchFanOut } from './fan-out/bench-fan-out.js';
import { rowsAsMarkdown } from './print-rows.js';
import type { Row } from './row.js';
import { runProgram } from './run-program.js';
import { writeResults } from './write-results.js';

const HELP = `npm run bench:events [-- --soak-seconds <n>] [-- --only matching|pages|fan-out] [-- --write]

Measures matching, pages from a million events, and the fan-out to a thousand WebSockets, each beside
a reference in the same run. Takes about three minutes, and what --soak-seconds adds (default 30;
600 for the ten minutes of the target). --write puts the table into packages/benchmark/results.`;

const { values } = parseArgs({
  options: {
    'soak-seconds': { type: 'string', default: '30' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const say = (text: string) => void process.stderr.write(`${text}\n`);

if (values.help) {
  process.stdout.write(`${HELP}\n`);
} else {
  const rows: Row[] = [];
  const wants = (part: string) => values.only === undefined || values.only === part;
  if (wants('matching')) {
    say('matching …');
    rows.push(...benchMatching());
  }
  if (wants('pages')) {
    say('pages from a thousand and a million events …');
    rows.push(...(await runProgram('packages/benchmark/dist/bench-pages.js')));
  }
  if (wants('fan-out')) {
    rows.push(...(await benchFanOut({ soakSeconds: Number(values['soak-seconds']), say })));
  }
  const table = rowsAsMarkdown(rows);
  process.stdout.write(`${table}\n`);
  if (values.write) writeResults('events', 'Ledger events', rows);
  if (rows.some(({ isMet }) => !isMet)) process.exitCode = 1;
}
