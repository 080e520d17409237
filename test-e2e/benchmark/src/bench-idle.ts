import { setTimeout as delay } from 'node:timers/promises';
import { readNumberOption } from '@forecourt/testing/options';
import { startSystem } from '@forecourt/testing/system';
import type { Row } from './row.js';
import { runBenchmark, say } from './run-benchmark.js';
import { processorTime, usedBetween } from './sponsoring/processor-time.js';

const HELP = `npm run verify -- idle [--seconds <n>]

Starts a whole system, first with one process of each service, then with one for all of them, sends it no requests,
and measures for a minute the processor time of each process, Redis and devnet included. The limit for all together
is 3 % of a core, that of the one process 1 %. Run it on an otherwise idle machine; Linux only.`;

/** Time to fill the pool and to compile the code of the start. */
const SETTLE_MS = 30_000;
const MAX_OF_ALL = 3;
const MAX_OF_ONE = 1;

async function measure(seconds: number, processes: 'separate' | 'one'): Promise<Row[]> {
  say(`starting (${processes})`);
  const system = await startSystem({ events: 1, faults: true, processes });
  try {
    await delay(SETTLE_MS);
    say(`measuring for ${seconds} s`);
    const before = processorTime(system);
    const begunAt = performance.now();
    await delay(seconds * 1_000);
    const used = usedBetween(before, processorTime(system));
    const percentOf = (cpuSecs: number) => (cpuSecs / (performance.now() - begunAt)) * 100_000;
    const row = (what: string, cpuSecs: number): Row => {
      const value = percentOf(cpuSecs);
      const most = { all: MAX_OF_ALL, station: MAX_OF_ONE }[what];
      const limit = most !== undefined && { target: `less than ${most}`, isMet: value < most };
      return { what, value, unit: '% of a core', ...limit };
    };
    const all = [...used.values()].reduce((sum, one) => sum + one, 0);
    return [...used, ['all', all] as const].map(([what, cpuSecs]) => row(what, cpuSecs));
  } finally {
    await system.stop();
  }
}

await runBenchmark({
  help: HELP,
  options: { seconds: { type: 'string', default: '60' } },
  measure: async ({ seconds }) => {
    const time = readNumberOption('seconds', seconds);
    return { rows: [...(await measure(time, 'separate')), ...(await measure(time, 'one'))] };
  },
});
