import { startRedisServer } from '@forecourt/testing/system';
import type { Row } from './row.js';
import { runBenchmark } from './run-benchmark.js';
import { runProgram } from './other-programs.js';
import { shapeOnDevnet } from './shape-on-devnet.js';

const HELP = `npm run bench -- shape [--transactions <n>] [--devnet <n>]

Has a pool of the usual size pay for a million transactions with mixed budgets: real scripts on a real
Redis, real splits and consolidations, a simulated ledger. Shows whether the number of coins and their sizes
stay constant. Took a quarter of an hour on two busy cores; --transactions changes their number (below
200000 the averages hold too few refills for a comparison). --devnet also runs that many real transactions
through the whole system.`;

async function simulate(transactions: string): Promise<Row[]> {
  const redis = await startRedisServer({ appendfsync: 'no' });
  try {
    const program = 'test-e2e/benchmark/dist/shape/run-simulation.js';
    return await runProgram(program, redis.url, transactions);
  } finally {
    await redis.stop();
  }
}

await runBenchmark({
  help: HELP,
  options: {
    transactions: { type: 'string', default: '1000000' },
    devnet: { type: 'string', default: '0' },
  },
  async measure({ transactions, devnet }) {
    const rows = await simulate(transactions);
    const real = Number(devnet);
    return { rows: real > 0 ? [...rows, ...(await shapeOnDevnet(real))] : rows };
  },
});
