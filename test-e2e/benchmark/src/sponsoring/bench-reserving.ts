import { median } from '@forecourt/testing/figures';
import { startProgram } from '../load/start-program.js';
import type { Row } from '../row.js';
import { BenchSystem } from './bench-system.js';
import { type Effort, warmUp } from './effort.js';
import { processorTime, usedBetween } from './processor-time.js';

const CONNECTIONS = 64;
const GAS_BUDGET = 10_000_000;
const SHARE = 0.35;
const P99_MS = 25;
/** Gives every request the same JSON response. */
const BARE = new URL('../load/bare-fastify.js', import.meta.url);

interface Round {
  readonly own: number;
  readonly bare: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time in seconds by process for one reservation. */
  readonly costs: ReadonlyMap<string, number>;
}

/** Measures `POST /v1/reserve_gas` from client to response, beside a server that only responds. */
export async function benchReserving({ say, quick }: Effort): Promise<Row[]> {
  say('reserve_gas: starting a system …');
  const seconds = quick ? 2 : 5;
  // Reservations last a second, and are then swept.
  const bench = await BenchSystem.start({ coins: 20_000, env: { OUTCOME_RETENTION_MS: '1000' } });
  const answer = await exampleAnswer(bench);
  const bare = await startProgram(BARE, answer);
  try {
    const pace = { users: CONNECTIONS, seconds };
    const task = { kind: 'reserve', gasBudget: GAS_BUDGET, ...pace } as const;
    await bench.load.run({ ...task, gateway: { url: bare.url, token: 'none' } });
    await warmUp(() => bench.load.run({ ...task, seconds: 5, gateway: bench.gateway }), say);
    const rounds: Round[] = [];
    for (let round = 1; round <= (quick ? 3 : 7); round++) {
      const reference = await bench.load.run({
        ...task,
        gateway: { url: bare.url, token: 'none' },
      });
      const before = processorTime(bench.system);
      const own = await bench.load.run({ ...task, gateway: bench.gateway });
      const used = usedBetween(before, processorTime(bench.system));
      say(
        `  round ${round}: ${Math.round(own.perSecond)} /s, bare ${Math.round(reference.perSecond)} /s, ` +
          `p99 ${own.p99.toFixed(1)} ms`,
      );
      const figures = { own: own.perSecond, bare: reference.perSecond };
      const costs = new Map([...used].map(([name, seconds]) => [name, seconds / own.done]));
      rounds.push({ ...figures, p50: own.p50, p99: own.p99, costs });
    }
    const share = median(rounds.map((round) => round.own / round.bare));
    const p99 = median(rounds.map((round) => round.p99));
    const what = `reserve_gas, ${CONNECTIONS} connections`;
    return [
      {
        what,
        value: median(rounds.map(({ own }) => own)),
        unit: '/s',
        ratio: share,
        reference: `a bare Fastify answering the same, ${Math.round(median(rounds.map((round) => round.bare)))} /s`,
        target: `${SHARE} of it`,
        isMet: share >= SHARE,
      },
      {
        what: `${what}, p50`,
        value: median(rounds.map(({ p50 }) => p50)),
        unit: 'ms',
      },
      {
        what: `${what}, p99`,
        value: p99,
        unit: 'ms',
        target: `below ${P99_MS} ms`,
        isMet: p99 < P99_MS,
      },
      {
        what: `${what}, processor for one, gateway, coin-pool and Redis`,
        value: median(rounds.map(({ costs }) => inMicroseconds(costs))),
        unit: 'µs',
      },
    ];
  } finally {
    bare.stop();
    await bench.stop();
  }
}

const SERVERS = ['gateway', 'coin-pool', 'redis'];

function inMicroseconds(costs: ReadonlyMap<string, number>): number {
  return SERVERS.reduce((sum, name) => sum + costs.get(name)!, 0) * 1e6;
}

async function exampleAnswer({ gateway }: BenchSystem): Promise<string> {
  const response = await fetch(`${gateway.url}/v1/reserve_gas`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ gas_budget: GAS_BUDGET, reserve_duration_secs: 1 }),
  });
  if (!response.ok) throw new Error(`reserve answered ${response.status}`);
  return response.text();
}
