import { LoadProcess } from '../load/load-process.js';
import { median, type Row } from '../row.js';
import { BenchSystem } from './bench-system.js';
import { countRoundTrips } from './count-round-trips.js';
import type { Effort } from './effort.js';
import { warmUp } from './warm-up.js';

const USERS = 64;
/** Few enough to change nothing. */
const PROBES = { users: 2, perSecond: 20 };
const P50_MS = 8;
const P99_MS = 30;

/** How much longer execute takes than the ledger alone, and how often the ledger is asked. */
export async function benchLatency({ say, quick }: Effort): Promise<Row[]> {
  say('added latency: starting a system …');
  const bench = await BenchSystem.start({ coins: 3_000 });
  const probes = new LoadProcess();
  try {
    const users = { ...bench.sponsoring, users: USERS };
    const full = await warmUp(() => bench.load.run({ ...users, seconds: 6 }), say);
    const rounds: { p50: number; p99: number; ledger: number }[] = [];
    for (let round = 1; round <= (quick ? 2 : 5); round++) {
      const seconds = quick ? 3 : 8;
      const [own, ledger] = await Promise.all([
        bench.load.run({ ...users, seconds, perSecond: full / 2 }),
        probes.run({ ...bench.direct, ...PROBES, seconds }),
      ]);
      const added = { p50: own.p50 - ledger.p50, p99: own.p99 - ledger.p50 };
      say(
        `  round ${round}, ${Math.round(own.perSecond)} /s: p50 ${added.p50.toFixed(1)} ms, ` +
          `p99 ${added.p99.toFixed(1)} ms beside the ledger's ${ledger.p50.toFixed(1)} ms`,
      );
      rounds.push({ ...added, ledger: ledger.p50 });
    }
    const ledger = median(rounds.map((round) => round.ledger));
    const row = (name: 'p50' | 'p99', limit: number): Row => {
      const value = median(rounds.map((round) => round[name]));
      return {
        what: `execute_tx at half load (${Math.round(full / 2)} /s), ${name} above the ledger's own time`,
        value,
        unit: 'ms',
        ratio: value / ledger,
        reference: `the ledger's own, p50 ${ledger.toFixed(1)} ms`,
        target: `below ${limit} ms`,
        isMet: value < limit,
      };
    };
    return [row('p50', P50_MS), row('p99', P99_MS), ...(await countRoundTrips(bench))];
  } finally {
    probes.stop();
    await bench.stop();
  }
}
