import { median } from '@forecourt/testing/figures';
import { Redis } from 'ioredis';
import { LoadProcess } from '../load/load-process.js';
import type { Row } from '../row.js';
import { BenchSystem } from './bench-system.js';
import { countRoundTrips } from './count-round-trips.js';
import { type Effort, warmUp } from './effort.js';

const USERS = 64;
/** Few enough not to affect the result. */
const PROBES = { users: 2, perSecond: 20 };
/** Added to the ledger's own time, in ms. */
const IDLE_LIMITS = { p50: 3, p99: 8 };
const HALF_LOAD_LIMITS = { p50: 6, p99: 25 };

interface Added {
  readonly p50: number;
  readonly p99: number;
  /** The ledger's own, p50. */
  readonly ledger: number;
}

/**
 * Measures the time that an execution adds to the ledger's own, and the number of requests to the
 * ledger.
 */
export async function benchLatency({ say, quick }: Effort): Promise<Row[]> {
  say('added latency: starting a system …');
  const bench = await BenchSystem.start({ coins: 3_000 });
  const probes = new LoadProcess();
  const redis = new Redis(bench.system.facts.redisUrl);
  try {
    const users = { ...bench.sponsoring, users: USERS };
    const full = await warmUp(() => bench.load.run({ ...users, seconds: 6 }), say);
    const seconds = quick ? 3 : 8;
    const idle: Added[] = [];
    const idleInMemory: Added[] = [];
    const rounds: Added[] = [];
    for (let round = 1; round <= (quick ? 2 : 5); round++) {
      const alone = { users: 1, seconds, perSecond: 20 };
      const bare = await probes.run({ ...bench.direct, ...alone });
      const quiet = await bench.load.run({ ...bench.sponsoring, ...alone });
      idle.push(beyond(bare, quiet));
      await redis.config('SET', 'appendfsync', 'everysec');
      idleInMemory.push(beyond(bare, await bench.load.run({ ...bench.sponsoring, ...alone })));
      await redis.config('SET', 'appendfsync', 'always');
      const [own, ledger] = await Promise.all([
        bench.load.run({ ...users, seconds, perSecond: full / 2 }),
        probes.run({ ...bench.direct, ...PROBES, seconds }),
      ]);
      const added = beyond(ledger, own);
      say(
        `  round ${round}, ${Math.round(own.perSecond)} /s: p50 ${added.p50.toFixed(1)} ms, ` +
          `p99 ${added.p99.toFixed(1)} ms beside the ledger's ${ledger.p50.toFixed(1)} ms`,
      );
      rounds.push(added);
    }
    return [
      ...describe('on an idle system', idle, IDLE_LIMITS),
      ...describe('on an idle system that does not wait for the disk', idleInMemory),
      ...describe('at half load', rounds, HALF_LOAD_LIMITS, `; ${Math.round(full / 2)} /s`),
      ...(await countRoundTrips(bench)),
    ];
  } finally {
    redis.disconnect();
    probes.stop();
    await bench.stop();
  }
}

type Latency = Pick<Added, 'p50' | 'p99'>;

function beyond(ledger: Latency, own: Latency): Added {
  return { p50: own.p50 - ledger.p50, p99: own.p99 - ledger.p50, ledger: ledger.p50 };
}

function describe(
  when: string,
  rounds: readonly Added[],
  limits?: Readonly<Latency>,
  load = '',
): Row[] {
  const ledger = median(rounds.map((round) => round.ledger));
  return (['p50', 'p99'] as const).map((name) => {
    const value = median(rounds.map((round) => round[name]));
    return {
      what: `execute_tx ${when}, ${name} above the ledger's own time`,
      value,
      unit: 'ms',
      ratio: value / ledger,
      reference: `the ledger's own, p50 ${ledger.toFixed(1)} ms${load}`,
      ...(limits && { target: `${limits[name]} ms`, isMet: value <= limits[name] }),
    };
  });
}
