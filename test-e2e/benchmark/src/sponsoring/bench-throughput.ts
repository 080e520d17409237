import { median } from '@forecourt/testing/figures';
import { availableParallelism } from 'node:os';
import { startProgram } from '../load/start-program.js';
import type { Row } from '../row.js';
import { BenchSystem } from './bench-system.js';
import { countCommands, timeInScripts } from './redis-commands.js';
import { type Effort, warmUp } from './effort.js';
import { residentMibOf } from './resident-memory.js';
import { ofProcess, processorTime, usedBetween } from './processor-time.js';

const USERS = [1, 32];
const CLIENT = 'client';
const LEDGER = 'devnet';
const REDIS = 'redis';
/** Share of the transactions that are submitted directly. */
const SHARE = 0.45;
/** Bare requests. */
const COST = 40;
const REDIS_COST = 9;
/** Of the services as separate processes, in MiB. */
const MEMORY = 500;
/** Gives every request the same JSON response. */
const BARE = new URL('../load/bare-fastify.js', import.meta.url);

interface Round {
  readonly perSecond: number;
  readonly direct: number;
  /** Processor time in seconds that a minimal server takes for one request. */
  readonly bareRequest: number;
  /** Processor time in seconds by process for one transaction. */
  readonly costs: ReadonlyMap<string, number>;
}

/**
 * Measures sponsored transactions per second, from reserve to effects, and each process's time for
 * one.
 */
export async function benchThroughput({ say, quick }: Effort): Promise<Row[]> {
  say('sponsored transactions: starting a system …');
  const bench = await BenchSystem.start({ coins: 3_000 });
  const bare = await startProgram(BARE, '{"result":null,"error":null}');
  try {
    const toBare = {
      kind: 'reserve',
      gasBudget: 10_000_000,
      gateway: { url: bare.url, token: 'none' },
    } as const;
    const most = { users: Math.max(...USERS), seconds: 6 };
    await bench.load.run({ ...toBare, ...most });
    await warmUp(() => bench.load.run({ ...bench.sponsoring, ...most }), say);
    const rows: Row[] = [];
    for (const users of USERS) {
      const pace = { users, seconds: quick ? 3 : 8 };
      const rounds: Round[] = [];
      for (let round = 1; round <= (quick ? 2 : 5); round++) {
        const direct = await bench.load.run({ ...bench.direct, ...pace, seconds: 2 });
        const bareBefore = ofProcess(bare.pid);
        const { done: answered } = await bench.load.run({ ...toBare, ...pace, seconds: 2 });
        const bareRequest = (ofProcess(bare.pid) - bareBefore) / answered;
        const before = processorTime(bench.system);
        const own = await bench.load.run({ ...bench.sponsoring, ...pace });
        const used = usedBetween(before, processorTime(bench.system));
        used.set(CLIENT, own.clientSeconds);
        say(
          `  ${users} users, round ${round}: ${Math.round(own.perSecond)} /s, straight to the ledger ${Math.round(direct.perSecond)} /s`,
        );
        const costs = new Map([...used].map(([name, seconds]) => [name, seconds / own.done]));
        rounds.push({ perSecond: own.perSecond, direct: direct.perSecond, bareRequest, costs });
      }
      rows.push(...describe(users, rounds));
    }
    const value = residentMibOf(bench.system);
    const what = 'resident memory of the separate services after the run';
    const target = `below ${MEMORY} MiB`;
    rows.push({ what, value, unit: 'MiB', target, isMet: value < MEMORY });
    return [...rows, ...(await timeInScripts(bench)), ...(await countCommands(bench))];
  } finally {
    bare.stop();
    await bench.stop();
  }
}

function describe(users: number, rounds: readonly Round[]): Row[] {
  const by = users === 1 ? '1 user' : `${users} users`;
  const perSecond = median(rounds.map((round) => round.perSecond));
  const direct = median(rounds.map((round) => round.direct));
  const costs = [...rounds[0]!.costs.keys()].map((name) => ({
    name,
    cost: median(rounds.map((round) => round.costs.get(name)!)) * 1e6,
  }));
  const all = costs.reduce((sum, { cost }) => sum + cost, 0);
  const share = median(rounds.map((round) => round.perSecond / round.direct));
  const cores = availableParallelism();
  return [
    {
      what: `sponsored transactions, ${by}`,
      value: perSecond,
      unit: '/s',
      ratio: share,
      reference: `the same transactions straight to the ledger, ${Math.round(direct)} /s`,
      target: `${SHARE} of it`,
      isMet: share >= SHARE,
    },
    inBareRequests(`processor for one, the services and Redis, ${by}`, rounds, isOurs, COST),
    inBareRequests(`processor for one, Redis alone, ${by}`, rounds, isRedis, REDIS_COST),
    ...costs
      .toSorted((a, b) => b.cost - a.cost)
      .map(({ name, cost }) => ({
        what: `processor for one, ${name}, ${by}`,
        value: cost,
        unit: 'µs',
        ratio: cost / all,
        reference: `all processes, ${Math.round(all)} µs: ${cores} cores can do ${Math.round((cores * 1e6) / all)} per second`,
      })),
  ];
}

const isRedis = (name: string) => name === REDIS;
const isOurs = (name: string) => name !== CLIENT && name !== LEDGER;

function inBareRequests(
  what: string,
  rounds: readonly Round[],
  counts: (name: string) => boolean,
  most: number,
): Row {
  const cost = ({ costs }: Round) =>
    [...costs].reduce((sum, [name, seconds]) => (counts(name) ? sum + seconds : sum), 0);
  const ratio = median(rounds.map((round) => cost(round) / round.bareRequest));
  const bare = median(rounds.map(({ bareRequest }) => bareRequest)) * 1e6;
  return {
    what,
    value: median(rounds.map(cost)) * 1e6,
    unit: 'µs',
    ratio,
    reference: `one request of a bare Fastify, ${bare.toFixed(1)} µs`,
    target: `${most} of them`,
    isMet: ratio <= most,
  };
}
