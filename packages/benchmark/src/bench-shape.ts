import { parseArgs } from 'node:util';
import { startRedis } from '@forecourt/testing/system';
import { rowsAsMarkdown } from './print-rows.js';
import type { Row } from './row.js';
import { runProgram } from './run-program.js';
import { shapeOnDevnet } from './shape-on-devnet.js';
import { writeResults } from './write-results.js';

const HELP = `npm run bench:shape [-- --transactions <n>] [-- --devnet <n>] [-- --write]

Has a pool of the usual size pay for a million transactions with mixed budgets: real scripts on a real
Redis, real splits and consolidations, a simulated ledger. Shows whether the number of coins and their sizes
stay as they are. Took a quarter of an hour on two busy cores; --transactions changes how many (below
200000 the averages hold too few refills to be compared). --devnet runs that many real transactions
through the whole system besides. --write puts the table into packages/benchmark/results.`;

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '1000000' },
    devnet: { type: 'string', default: '0' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const say = (text: string) => void process.stderr.write(`${text}\n`);

async function simulate(): Promise<Row[]> {
  const redis = await startRedis({ appendfsync: 'no' });
  try {
    const program = 'packages/benchmark/dist/shape/run-simulation.js';
    return await runProgram(program, redis.url, values.transactions);
  } finally {
    await redis.stop();
  }
}

if (values.help) {
  process.stdout.write(`${HELP}\n`);
} else {
  const rows = await simulate();
  const real = Number(values.devnet);
  if (real > 0) rows.push(...(await shapeOnDevnet(real, say)));
  process.stdout.write(`${rowsAsMarkdown(rows)}\n`);
  if (values.write) writeResults('shape', 'The shape of the pool', rows);
  if (rows.some(({ isMet }) => !isMet)) process.exitCode = 1;
}
