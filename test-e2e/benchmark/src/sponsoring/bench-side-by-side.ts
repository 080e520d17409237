import { median } from '@forecourt/testing/figures';
import type { SystemOptions } from '@forecourt/testing/system';
import type { Row } from '../row.js';
import { BenchSystem } from './bench-system.js';
import { type Effort, warmUp } from './effort.js';
import { processorTime, usedBetween } from './processor-time.js';
import { residentMibOf } from './resident-memory.js';

/** A system, and the words that tell it from the other one in the names of figures. */
interface Side {
  readonly called: string;
  readonly options: SystemOptions;
}

interface Comparison {
  readonly measured: Side;
  readonly reference: Side;
  readonly users: readonly number[];
}

/** Name → figure of one stretch of load. */
type Figures = ReadonlyMap<string, number>;
type Round = readonly [measured: Figures, reference: Figures];

/** Compares gateway, coin-pool, executor and events in one process with separate processes. */
export const benchProcesses = (effort: Effort): Promise<Row[]> =>
  compare(effort, {
    measured: { called: 'in one process', options: { events: 1, processes: 'one' } },
    reference: { called: 'separate processes', options: { events: 1 } },
    users: [1, 8, 32],
  });

/** Compares services that use a node over gRPC with those that use it over JSON-RPC. */
export const benchDialects = (effort: Effort): Promise<Row[]> =>
  compare(effort, {
    measured: { called: 'over gRPC', options: { dialect: 'grpc' } },
    reference: { called: 'over JSON-RPC', options: { dialect: 'json-rpc' } },
    users: [32],
  });

/** Loads both systems in turn, with each number of users. */
async function compare(effort: Effort, comparison: Comparison): Promise<Row[]> {
  const { say, quick } = effort;
  const { measured, reference, users } = comparison;
  say(`${measured.called}, beside ${reference.called}: starting two systems …`);
  const started: BenchSystem[] = [];
  try {
    for (const { options } of [measured, reference]) {
      started.push(await BenchSystem.start({ coins: 1_000, ...options }));
    }
    for (const { load, sponsoring } of started) {
      await warmUp(() => load.run({ ...sponsoring, users: 32, seconds: 6 }), say);
    }
    const seconds = quick ? 3 : 8;
    const rows: Row[] = [];
    for (const count of users) {
      const by = count === 1 ? '1 user' : `${count} users`;
      const rounds: Round[] = [];
      for (let round = 1; round <= (quick ? 2 : 5); round++) {
        const one = await measure(started[0]!, count, seconds);
        const other = await measure(started[1]!, count, seconds);
        say(`  ${by}, round ${round}: ${formatFigures(one)}; ${formatFigures(other)}`);
        rounds.push([one, other]);
      }
      rows.push(...describe(comparison, by, rounds));
    }
    const memory = started.map(({ system }) => new Map([[MEMORY, residentMibOf(system)]]));
    return [...rows, ...describe(comparison, 'after the run', [[memory[0]!, memory[1]!]])];
  } finally {
    for (const bench of started) await bench.stop();
  }
}

const RATE = 'sponsored transactions';
const MEMORY = 'resident memory of the services';
const SERVICES = 'processor for one, the services';
const WITH_REDIS = 'processor for one, the services and Redis';
const UNITS: Readonly<Record<string, string>> = {
  [RATE]: '/s',
  [MEMORY]: 'MiB',
  'execute_tx, p50': 'ms',
  'execute_tx, p99': 'ms',
};

async function measure(
  { system, load, sponsoring }: BenchSystem,
  users: number,
  seconds: number,
): Promise<Figures> {
  const before = processorTime(system);
  const { done, perSecond, p50, p99 } = await load.run({ ...sponsoring, users, seconds });
  const used = usedBetween(before, processorTime(system));
  used.delete('devnet');
  const costs = [...used].map(([name, spent]) => [name, (spent / done) * 1e6] as const);
  const withRedis = costs.reduce((sum, [, cost]) => sum + cost, 0);
  return new Map([
    [RATE, perSecond],
    ['execute_tx, p50', p50],
    ['execute_tx, p99', p99],
    [SERVICES, withRedis - used.get('redis')! * (1e6 / done)],
    [WITH_REDIS, withRedis],
    ...costs.map(([name, cost]) => [`processor for one, ${name}`, cost] as const),
  ]);
}

function formatFigures(figures: Figures): string {
  const [perSecond, services, withRedis] = [RATE, SERVICES, WITH_REDIS].map((name) =>
    Math.round(figures.get(name)!),
  );
  return `${perSecond} /s, ${services} µs, with Redis ${withRedis} µs`;
}

/** A row for each figure that both have. */
function describe(comparison: Comparison, when: string, rounds: readonly Round[]): Row[] {
  const { measured, reference } = comparison;
  const [[first, second]] = rounds as [Round];
  return [...first.keys()]
    .filter((name) => second.has(name))
    .map((name): Row => {
      const unit = UNITS[name] ?? 'µs';
      const other = median(rounds.map(([, figures]) => figures.get(name)!));
      return {
        what: `${name} ${measured.called}, ${when}`,
        value: median(rounds.map(([figures]) => figures.get(name)!)),
        unit,
        ratio: median(rounds.map(([one, two]) => one.get(name)! / two.get(name)!)),
        reference: `${reference.called}, ${other.toFixed(1)} ${unit}`,
      };
    });
}
