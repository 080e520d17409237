import { median } from '@forecourt/testing/figures';
import { setTimeout as delay } from 'node:timers/promises';
import type { Row } from '../row.js';
import { BenchSystem } from './bench-system.js';
import type { Effort } from './effort.js';
import { get, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { System } from '@forecourt/testing/system';
import { Redis } from 'ioredis';

const USERS = 64;
const STRETCHES = 12;
/** Seconds of the first stretch, from which the length of the others follows. */
const FIRST_SECONDS = 1;
/** Longer than reservations and the outcome retention of this run. */
const PAUSE_MS = 3_000;
const FLAT = 1.1;
const COLLECT = new URL('./collect-garbage.js', import.meta.url);

/** Measures the memory that every process keeps after many requests. */
export async function benchMemory({ say, requests }: Effort): Promise<Row[]> {
  say(`memory over ${requests} requests: starting a system …`);
  const bench = await BenchSystem.start({
    coins: 20_000,
    env: { OUTCOME_RETENTION_MS: '1000', NODE_OPTIONS: `--expose-gc --import ${COLLECT.href}` },
  });
  try {
    const looks: Map<string, number>[] = [];
    let calls = 0;
    let seconds = FIRST_SECONDS;
    for (let stretch = 0; stretch <= STRETCHES; stretch++) {
      const made = await askForAWhile(bench, seconds);
      calls += made;
      seconds = Math.max(FIRST_SECONDS, ((seconds / made) * requests) / STRETCHES);
      await delay(PAUSE_MS);
      const kept = await keptMemory(bench.system);
      if (stretch > 0) looks.push(kept);
      const figures = [...kept].map(([name, bytes]) => `${name} ${(bytes / 2 ** 20).toFixed(1)}`);
      say(`  after ${calls} requests, MiB: ${figures.join(', ')}`);
    }
    return describe(looks, calls);
  } finally {
    await bench.stop();
  }
}

/** Sponsors for one third of the time and reserves for two. Returns the number of requests. */
async function askForAWhile({ load, sponsoring, gateway }: BenchSystem, seconds: number) {
  const pace = { users: USERS };
  const sponsored = await load.run({ ...sponsoring, ...pace, seconds: seconds / 3 });
  const reserved = await load.run({
    kind: 'reserve',
    gateway,
    gasBudget: 10_000_000,
    ...pace,
    seconds: (seconds * 2) / 3,
  });
  return 2 * sponsored.done + reserved.done;
}

function describe(looks: readonly Map<string, number>[], calls: number): Row[] {
  const third = Math.floor(looks.length / 3);
  return [...looks[0]!.keys()].map((name) => {
    const kept = looks.map((look) => look.get(name)!);
    const late = median(kept.slice(2 * third));
    const growth = late / median(kept.slice(third, 2 * third));
    const isLedger = name === 'devnet';
    return {
      what: `memory that ${name} keeps`,
      value: late / 2 ** 20,
      unit: 'MiB',
      reference: `the same run a third earlier, ${calls.toLocaleString('en-US')} requests in all`,
      ratio: growth,
      target: isLedger ? '(a ledger keeps its history)' : `flat: below ${FLAT}`,
      isMet: isLedger || growth < FLAT,
    };
  });
}

const HEAP = /^forecourt_nodejs_heap_size_used_bytes (\S+)/m;
const EXTERNAL = /^forecourt_nodejs_external_memory_bytes (\S+)/m;
/** A collection ends well before this time. */
const COLLECTED_MS = 500;

/**
 * Bytes that each process keeps after its garbage is collected: a service's heap and buffers, and
 * Redis's memory.
 */
async function keptMemory(system: System): Promise<Map<string, number>> {
  const kept = new Map<string, number>();
  for (const service of system.processes) service.kill('SIGWINCH');
  await delay(COLLECTED_MS);
  for (const { name, metricsUrl } of system.processes) {
    const text = await askOnce(metricsUrl);
    kept.set(name, Number(HEAP.exec(text)?.[1]) + Number(EXTERNAL.exec(text)?.[1]));
  }
  const redis = new Redis(system.facts.redisUrl);
  kept.set('redis', Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]));
  redis.disconnect();
  return kept;
}

/** Uses a new connection: a kept one may be closing at this moment. */
async function askOnce(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { agent: false }, resolve).once('error', reject);
  return readText(await promise);
}
