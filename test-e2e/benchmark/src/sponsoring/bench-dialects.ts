import { median, type Row } from '../row.js';
import { BenchSystem } from './bench-system.js';
import { type Effort, warmUp } from './effort.js';
import { processorTime, usedBetween } from './processor-time.js';

const USERS = 64;
const SERVICES = ['executor', 'gateway', 'coin-pool'] as const;
/** Processor time of the executor over gRPC, in that over JSON-RPC. */
const MOST = 1;

type Costs = ReadonlyMap<string, number>;

/** Measures each service's processor time for a sponsored transaction over gRPC, beside JSON-RPC in turn. */
export async function benchDialects({ say, quick }: Effort): Promise<Row[]> {
  say('both dialects of nodes: starting two systems …');
  const systems: BenchSystem[] = [];
  try {
    for (const dialect of ['json-rpc', 'grpc'] as const) {
      systems.push(await BenchSystem.start({ coins: 3_000, dialect }));
    }
    const pace = { users: USERS, seconds: quick ? 3 : 8 };
    for (const { load, sponsoring } of systems) {
      await warmUp(() => load.run({ ...sponsoring, ...pace, seconds: 6 }), say);
    }
    const rounds: (readonly [json: Costs, grpc: Costs])[] = [];
    for (let round = 1; round <= (quick ? 3 : 5); round++) {
      const costs: Costs[] = [];
      for (const bench of systems) costs.push(await costsOf(bench, pace));
      rounds.push([costs[0]!, costs[1]!]);
      const [json, grpc] = costs.map((each) => Math.round(each.get('executor')! * 1e6));
      say(`  round ${round}: executor ${json} µs over JSON-RPC, ${grpc} µs over gRPC`);
    }
    return SERVICES.map((service) => describe(service, rounds));
  } finally {
    await Promise.all(systems.map((bench) => bench.stop()));
  }
}

async function costsOf(
  { system, load, sponsoring }: BenchSystem,
  pace: { readonly users: number; readonly seconds: number },
): Promise<Costs> {
  const before = processorTime(system);
  const { done } = await load.run({ ...sponsoring, ...pace });
  const used = usedBetween(before, processorTime(system));
  return new Map([...used].map(([name, seconds]) => [name, seconds / done]));
}

function describe(
  service: (typeof SERVICES)[number],
  rounds: readonly (readonly [json: Costs, grpc: Costs])[],
): Row {
  const ratio = median(rounds.map(([json, grpc]) => grpc.get(service)! / json.get(service)!));
  const over = (dialect: 0 | 1) => median(rounds.map((each) => each[dialect].get(service)!)) * 1e6;
  return {
    what: `processor for one over gRPC, ${service}`,
    value: over(1),
    unit: 'µs',
    ratio,
    reference: `the same over JSON-RPC, ${Math.round(over(0))} µs`,
    ...(service === 'executor' && { target: `${MOST} of it`, isMet: ratio <= MOST }),
  };
}
