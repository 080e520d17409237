import { KeyServer } from '@forecourt/testing/key-services';
import { median, type Row } from '../row.js';
import { BenchSystem } from './bench-system.js';
import { type Effort, warmUp } from './effort.js';
import { processorTime, usedBetween } from './processor-time.js';

const LATENCY_MS = 50;
const USERS = 128;
const SHARE = 0.9;

interface Figures {
  readonly perSecond: number;
  /** Processor time in µs that the executor takes for one transaction. */
  readonly executor: number;
  /** The same of the key service, which runs in this process. */
  readonly service: number;
}

/** Measures one executor with a key in a service that signs slowly, beside one with a local key. */
export async function benchSigners({ say, quick }: Effort): Promise<Row[]> {
  say('signers: starting systems with a local key and with a key in a service …');
  const keys = await KeyServer.start({ protocol: 'sidecar' });
  const started: BenchSystem[] = [];
  try {
    const secret = keys.entry({ 'in-flight': '200', 'timeout-ms': '5000' });
    const held = { address: keys.key.address, secret };
    for (const sponsor of [undefined, held]) {
      started.push(await BenchSystem.start({ coins: 2_000, ...(sponsor && { sponsor }) }));
    }
    keys.delayMs = LATENCY_MS;
    const seconds = quick ? 4 : 8;
    for (const { load, sponsoring } of started) {
      await warmUp(() => load.run({ ...sponsoring, users: USERS, seconds }), say);
    }
    const rounds: Record<'local' | 'service', Figures>[] = [];
    for (let round = 1; round <= (quick ? 2 : 6); round++) {
      const [local, service] = await inTurn(round % 2 === 0, started, seconds);
      say(`  round ${round}: ${formatFigures(local!)}; key service: ${formatFigures(service!)}`);
      rounds.push({ local: local!, service: service! });
    }
    return describe(rounds);
  } finally {
    for (const system of started) await system.stop();
    await keys.stop();
  }
}

/**
 * Measures each system, every other time in reverse order: a machine becomes slower or faster during a round.
 */
async function inTurn(
  isReversed: boolean,
  systems: readonly BenchSystem[],
  seconds: number,
): Promise<Figures[]> {
  const measured: Figures[] = [];
  for (const system of isReversed ? systems.toReversed() : systems) {
    measured.push(await measure(system, seconds));
  }
  return isReversed ? measured.reverse() : measured;
}

async function measure({ system, load, sponsoring }: BenchSystem, seconds: number) {
  const [before, serviceBefore] = [processorTime(system), process.cpuUsage()];
  const { done, perSecond } = await load.run({ ...sponsoring, users: USERS, seconds });
  const { user, system: kernel } = process.cpuUsage(serviceBefore);
  const executor = usedBetween(before, processorTime(system)).get('executor')!;
  return { perSecond, executor: (executor * 1e6) / done, service: (user + kernel) / done };
}

function describe(rounds: readonly Record<'local' | 'service', Figures>[]): Row[] {
  const middle = (key: 'local' | 'service', figure: keyof Figures) =>
    median(rounds.map((round) => round[key][figure]));
  const ratio = median(rounds.map(({ local, service }) => service.perSecond / local.perSecond));
  const localExecutor = middle('local', 'executor');
  return [
    {
      what: `sponsored transactions by one executor, ${USERS} users, a key service of ${LATENCY_MS} ms`,
      value: middle('service', 'perSecond'),
      unit: '/s',
      ratio,
      reference: `a local key, ${Math.round(middle('local', 'perSecond'))} /s`,
      target: `${SHARE} of it`,
      isMet: ratio >= SHARE,
    },
    {
      what: 'processor for one, the executor with a key service',
      value: middle('service', 'executor'),
      unit: 'µs',
      ratio: middle('service', 'executor') / localExecutor,
      reference: `a local key, ${Math.round(localExecutor)} µs`,
    },
    {
      what: 'processor for one, the key service itself, on the same machine',
      value: middle('service', 'service'),
      unit: 'µs',
    },
  ];
}

const formatFigures = ({ perSecond, executor }: Figures) =>
  `${Math.round(perSecond)} /s, executor ${Math.round(executor)} µs`;
