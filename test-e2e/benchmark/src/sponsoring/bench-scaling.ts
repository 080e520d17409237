import { devnetControl } from '@forecourt/testing/system';
import { median, type Row } from '../row.js';
import { BenchSystem } from './bench-system.js';
import { type Effort, warmUp } from './effort.js';

const LATENCY_MS = 100;
/**
 * So few for each executor that the executors are the limit, not the processors that they share.
 */
const CONCURRENCY = 2;
const EXECUTORS = 4;
const USERS = 32;
const TOLERANCE = 0.1;

/** Measures whether four executors do four times the work of one when the ledger is slow. */
export async function benchScaling({ say, quick }: Effort): Promise<Row[]> {
  say(`scaling: starting systems with 1 and ${EXECUTORS} executors …`);
  const systems: BenchSystem[] = [];
  try {
    for (const executors of [1, EXECUTORS]) {
      const env = { EXECUTOR_CONCURRENCY: String(CONCURRENCY) };
      const bench = await BenchSystem.start({ coins: 1_000, executors, env });
      systems.push(bench);
      await devnetControl(bench.system.controlUrl!).fault({ kind: 'latency', ms: LATENCY_MS });
    }
    const pace = { users: USERS, seconds: quick ? 4 : 8 };
    for (const { load, sponsoring } of systems) {
      await warmUp(() => load.run({ ...sponsoring, ...pace }), say);
    }
    const rounds: (readonly [number, number])[] = [];
    for (let round = 1; round <= (quick ? 1 : 3); round++) {
      const rates: number[] = [];
      for (const { load, sponsoring } of systems) {
        rates.push((await load.run({ ...sponsoring, ...pace })).perSecond);
      }
      say(`  round ${round}: ${rates.map((rate) => `${Math.round(rate)} /s`).join(', ')}`);
      rounds.push([rates[0]!, rates[1]!]);
    }
    const gain = median(rounds.map(([one, several]) => several / one));
    return [
      {
        what: `sponsored transactions by ${EXECUTORS} executors, ${CONCURRENCY} at once each, a ledger of ${LATENCY_MS} ms`,
        value: median(rounds.map(([, several]) => several)),
        unit: '/s',
        ratio: gain,
        reference: `one executor, ${Math.round(median(rounds.map(([one]) => one)))} /s`,
        target: `${EXECUTORS} times as many, within ${TOLERANCE * 100} %`,
        isMet: gain >= EXECUTORS * (1 - TOLERANCE),
      },
    ];
  } finally {
    for (const system of systems) await system.stop();
  }
}
