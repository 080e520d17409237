import { median, type Row } from '../row.js';
import { BenchSystem } from '../sponsoring/bench-system.js';
import { warmUp } from '../sponsoring/effort.js';
import { processorTime, usedBetween } from '../sponsoring/processor-time.js';
import { say } from '../run-benchmark.js';

const USERS = 32;
const SECONDS = 6;
/** The processes that a sponsored transaction passes; not history and its database. */
const PROCESSES = ['gateway', 'coin-pool', 'executor', 'redis'] as const;
/** Processor time of a transaction with history, in that without. */
const MOST = 1.03;

/** Processor time in seconds for one transaction, by process. */
type Costs = ReadonlyMap<string, number>;
type Round = readonly [off: Costs, on: Costs];

/** Measures what history adds to a sponsored transaction: two systems, with and without it, in turn. */
export async function benchCost(rounds: number): Promise<Row[]> {
  const systems: BenchSystem[] = [];
  try {
    for (const history of [false, true]) {
      systems.push(await BenchSystem.start({ coins: 3_000, history }));
    }
    const [off, on] = systems as [BenchSystem, BenchSystem];
    for (const { load, sponsoring } of systems) {
      await warmUp(() => load.run({ ...sponsoring, users: USERS, seconds: SECONDS }), say);
    }
    const measured: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      // The order alternates, so that a machine that slows down favours neither.
      const isOdd = round % 2 === 1;
      const first = await costsOf(isOdd ? off : on);
      const second = await costsOf(isOdd ? on : off);
      const pair: Round = isOdd ? [first, second] : [second, first];
      const [without, withHistory] = pair.map((costs) => Math.round(sum(costs) * 1e6));
      say(`  round ${round}: ${without} µs without history, ${withHistory} µs with it`);
      measured.push(pair);
    }
    return [describe('gateway, coin-pool, executor and Redis', measured, sum, MOST)].concat(
      PROCESSES.map((name) => describe(name, measured, (costs) => costs.get(name)!)),
    );
  } finally {
    await Promise.all(systems.map((bench) => bench.stop()));
  }
}

async function costsOf({ system, load, sponsoring }: BenchSystem): Promise<Costs> {
  const before = processorTime(system);
  const { done, failures } = await load.run({ ...sponsoring, users: USERS, seconds: SECONDS });
  if (failures.count > 0) throw new Error(`${failures.count} failed: ${failures.first.join('; ')}`);
  const used = usedBetween(before, processorTime(system));
  return new Map(PROCESSES.map((name) => [name, used.get(name)! / done]));
}

function sum(costs: Costs): number {
  return [...costs.values()].reduce((total, seconds) => total + seconds, 0);
}

function describe(
  what: string,
  rounds: readonly Round[],
  cost: (costs: Costs) => number,
  most?: number,
): Row {
  const ratio = median(rounds.map(([off, on]) => cost(on) / cost(off)));
  const without = median(rounds.map(([off]) => cost(off))) * 1e6;
  return {
    what: `processor for a sponsored transaction with history, ${what}`,
    value: median(rounds.map(([, on]) => cost(on))) * 1e6,
    unit: 'µs',
    ratio,
    reference: `without history, ${Math.round(without)} µs`,
    ...(most !== undefined && { target: `${most} of it`, isMet: ratio <= most }),
  };
}
