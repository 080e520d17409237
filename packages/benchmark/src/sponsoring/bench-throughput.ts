import { availableParallelism } from 'node:os';
import { median, type Row } from '../row.js';
import { BenchSystem } from './bench-system.js';
import type { Effort } from './effort.js';
import { processorTime, usedBetween } from './processor-time.js';
import { warmUp } from './warm-up.js';

const USERS = 64;
const TARGET = 1_500;
const CLIENT = 'client';

interface Round {
  readonly perSecond: number;
  readonly direct: number;
  /** Seconds of processor by process for one transaction. */
  readonly costs: ReadonlyMap<string, number>;
}

/** Sponsored transactions a second, from reserve to effects, and which process spends what on one. */
export async function benchThroughput({ say, quick }: Effort): Promise<Row[]> {
  say('sponsored transactions: starting a system …');
  const bench = await BenchSystem.start({ coins: 3_000 });
  try {
    const pace = { users: USERS, seconds: quick ? 3 : 8 };
    await warmUp(() => bench.load.run({ ...bench.sponsoring, ...pace, seconds: 6 }), say);
    const rounds: Round[] = [];
    for (let round = 1; round <= (quick ? 2 : 5); round++) {
      const direct = await bench.load.run({ ...bench.direct, ...pace, seconds: 2 });
      const before = processorTime(bench.system);
      const own = await bench.load.run({ ...bench.sponsoring, ...pace });
      const used = usedBetween(before, processorTime(bench.system)).set(CLIENT, own.clientSeconds);
      say(
        `  round ${round}: ${Math.round(own.perSecond)} /s, straight to the ledger ${Math.round(direct.perSecond)} /s`,
      );
      const costs = new Map([...used].map(([name, seconds]) => [name, seconds / own.done]));
      rounds.push({ perSecond: own.perSecond, direct: direct.perSecond, costs });
    }
    return describe(rounds);
  } finally {
    await bench.stop();
  }
}

function describe(rounds: readonly Round[]): Row[] {
  const perSecond = median(rounds.map((round) => round.perSecond));
  const direct = median(rounds.map((round) => round.direct));
  const costs = [...rounds[0]!.costs.keys()].map((name) => ({
    name,
    cost: median(rounds.map((round) => round.costs.get(name)!)) * 1e6,
  }));
  const all = costs.reduce((sum, { cost }) => sum + cost, 0);
  const cores = availableParallelism();
  return [
    {
      what: `sponsored transactions, ${USERS} users`,
      value: perSecond,
      unit: '/s',
      ratio: median(rounds.map((round) => round.perSecond / round.direct)),
      reference: `the same transactions straight to the ledger, ${Math.round(direct)} /s`,
      target: `${TARGET} /s`,
      isMet: perSecond >= TARGET,
    },
    ...costs
      .toSorted((a, b) => b.cost - a.cost)
      .map(({ name, cost }) => ({
        what: `processor for one, ${name}`,
        value: cost,
        unit: 'µs',
        ratio: cost / all,
        reference: `all processes, ${Math.round(all)} µs, which ${cores} cores can do ${Math.round((cores * 1e6) / all)} times a second`,
      })),
  ];
}
