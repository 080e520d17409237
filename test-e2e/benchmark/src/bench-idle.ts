import { setTimeout as delay } from 'node:timers/promises';
import { readNumberOption } from '@forecourt/testing/options';
import { startSystem } from '@forecourt/testing/system';
import type { Row } from './row.js';
import { runBenchmark, say } from './run-benchmark.js';
import { processorTime, usedBetween } from './sponsoring/processor-time.js';

const HELP = `npm run verify -- idle [--seconds <n>]

Starts a whole system with one process of each service, sends it no requests, and measures for a minute the
processor time of each process, Redis and devnet included. The limit for all together is 3 % of a core. Run it on
an otherwise idle machine; Linux only.`;

/** Time to fill the pool and to compile the code of the start. */
const SETTLE_MS = 30_000;
const MAX_OF_A_CORE = 3;

async function measure(seconds: number): Promise<Row[]> {
  say('starting');
  const system = await startSystem({ events: 1, faults: true });
  try {
    await delay(SETTLE_MS);
    say(`measuring for ${seconds} s`);
    const before = processorTime(system);
    const begunAt = performance.now();
    await delay(seconds * 1_000);
    const used = usedBetween(before, processorTime(system));
    const percentOf = (cpuSecs: number) => (cpuSecs / (performance.now() - begunAt)) * 100_000;
    const rows = [...used].map(([name, cpuSecs]): Row => ({
      what: name,
      value: percentOf(cpuSecs),
      unit: '% of a core',
    }));
    const value = rows.reduce((sum, row) => sum + row.value, 0);
    const target = `less than ${MAX_OF_A_CORE}`;
    const isMet = value < MAX_OF_A_CORE;
    return [...rows, { what: 'all', value, unit: '% of a core', target, isMet }];
  } finally {
    await system.stop();
  }
}

await runBenchmark({
  help: HELP,
  options: { seconds: { type: 'string', default: '60' } },
  measure: async ({ seconds }) => ({ rows: await measure(readNumberOption('seconds', seconds)) }),
});
