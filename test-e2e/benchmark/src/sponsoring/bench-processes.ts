import { median, type Row } from '../row.js';
import { BenchSystem } from './bench-system.js';
import { type Effort, warmUp } from './effort.js';
import { processorTime, usedBetween } from './processor-time.js';
import { residentMiB } from './resident-memory.js';

const USERS = [1, 8, 32];
const KINDS = ['one', 'separate'] as const;

interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time in µs that the services take for one transaction. */
  readonly services: number;
  /** The same with Redis. */
  readonly withRedis: number;
}

/** Compares gateway, coin-pool, executor and events in one process with separate processes, in turn. */
export async function benchProcesses({ say, quick }: Effort): Promise<Row[]> {
  say('one process beside separate ones: starting two systems …');
  const started: BenchSystem[] = [];
  try {
    for (const processes of KINDS) {
      started.push(await BenchSystem.start({ coins: 1_000, events: 1, processes }));
    }
    const seconds = quick ? 3 : 8;
    for (const bench of started) {
      await warmUp(() => bench.load.run({ ...bench.sponsoring, users: 32, seconds: 6 }), say);
    }
    const rows: Row[] = [];
    for (const users of USERS) {
      const rounds: [Figures, Figures][] = [];
      for (let round = 1; round <= (quick ? 2 : 5); round++) {
        const one = await measure(started[0]!, users, seconds);
        const separate = await measure(started[1]!, users, seconds);
        say(
          `  ${users} users, round ${round}: ${formatFigures(one)}; separate: ${formatFigures(separate)}`,
        );
        rounds.push([one, separate]);
      }
      rows.push(...describe(users, rounds));
    }
    const [one, separate] = started.map(({ system }) => residentMiB(system));
    const memory = { what: 'resident memory of the services after the run', unit: 'MiB' };
    return [
      ...rows,
      { ...memory, value: one!, ratio: one! / separate!, reference: ref(separate!, 'MiB') },
    ];
  } finally {
    for (const bench of started) await bench.stop();
  }
}

async function measure(bench: BenchSystem, users: number, seconds: number): Promise<Figures> {
  const before = processorTime(bench.system);
  const { done, perSecond, p50, p99, failures } = await bench.load.run({
    ...bench.sponsoring,
    users,
    seconds,
  });
  if (failures.count > 0) throw new Error(`${failures.count} failed: ${failures.first.join('; ')}`);
  const used = usedBetween(before, processorTime(bench.system));
  used.delete('devnet');
  const all = [...used.values()].reduce((sum, one) => sum + one, 0);
  const micros = (spent: number) => (spent / done) * 1e6;
  const services = micros(all - used.get('redis')!);
  return { perSecond, p50, p99, services, withRedis: micros(all) };
}

function formatFigures({ perSecond, services, withRedis }: Figures): string {
  return `${Math.round(perSecond)} /s, ${Math.round(services)} µs, with Redis ${Math.round(withRedis)} µs`;
}

function describe(users: number, rounds: readonly [Figures, Figures][]): Row[] {
  const row = (what: string, unit: string, figure: keyof Figures): Row => {
    const separate = median(rounds.map(([, other]) => other[figure]));
    return {
      what: `${what}, ${users} ${users === 1 ? 'user' : 'users'}`,
      value: median(rounds.map(([one]) => one[figure])),
      unit,
      ratio: median(rounds.map(([one, other]) => one[figure] / other[figure])),
      reference: ref(separate, unit),
    };
  };
  return [
    row('sponsored transactions in one process', '/s', 'perSecond'),
    row('execute_tx, p50', 'ms', 'p50'),
    row('execute_tx, p99', 'ms', 'p99'),
    row('processor for one, the services', 'µs', 'services'),
    row('processor for one, the services and Redis', 'µs', 'withRedis'),
  ];
}

const ref = (value: number, unit: string) => `separate processes, ${value.toFixed(1)} ${unit}`;
