import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Row } from '../row.js';
import type { BenchSystem } from './bench-system.js';

const SECONDS = 4;
const IDLE = 6;
const LOADED = 3;
/** The origin of a command that a script runs. */
const SCRIPT = 'lua';

/**
 * Counts the scripts and commands that Redis receives for one sponsored transaction, without
 * periodic ones.
 */
export async function countCommands(bench: BenchSystem): Promise<Row[]> {
  const idle = await commandsDuring(bench, () => delay(SECONDS * 1_000, { done: 0 }));
  const row = async (what: string, users: number, most: number): Promise<Row> => {
    const { load, sponsoring } = bench;
    const task = { ...sponsoring, users, seconds: SECONDS };
    const sent = await commandsDuring(bench, () => load.run(task));
    const value = (sent.commands - idle.commands) / sent.done;
    const reference = `${sent.done} transactions, users: ${users}`;
    return {
      what: `scripts and commands sent to Redis for one, ${what}`,
      value,
      unit: '',
      reference,
      target: `${most}`,
      isMet: value <= most,
    };
  };
  return [await row('idle', 1, IDLE), await row('under load', 64, LOADED)];
}

async function commandsDuring(
  { system }: BenchSystem,
  work: () => Promise<{ readonly done: number }>,
): Promise<{ commands: number; done: number }> {
  const redis = new Redis(system.facts.redisUrl);
  const monitor = await redis.monitor();
  let commands = 0;
  monitor.on('monitor', (_time: string, _args: string[], source: string) => {
    if (source !== SCRIPT) commands += 1;
  });
  const { done } = await work();
  monitor.disconnect();
  redis.disconnect();
  return { commands, done };
}

const USERS = 64;
/** More than the number of scripts that Redis runs meanwhile. */
const MAX_COMMANDS = 200_000;
/** Of the coin store's scripts; all others are BullMQ's. */
const POOL_PREFIX = 'fc:{0x';

/** Id, time, µs, command, and unused fields. */
type SlowCommand = [number, number, number, string[], ...unknown[]];

/**
 * Measures Redis's time in each component's scripts for a sponsored transaction, by Redis's slow
 * log.
 */
export async function timeInScripts({ load, system, sponsoring }: BenchSystem): Promise<Row[]> {
  const redis = new Redis(system.facts.redisUrl);
  try {
    await redis.config('SET', 'slowlog-max-len', MAX_COMMANDS);
    await redis.config('SET', 'slowlog-log-slower-than', 0);
    await redis.slowlog('RESET');
    const { done } = await load.run({ ...sponsoring, users: USERS, seconds: SECONDS });
    await redis.config('SET', 'slowlog-log-slower-than', -1);
    const commands = (await redis.slowlog('GET', MAX_COMMANDS)) as SlowCommand[];
    const spent = { store: 0, bullmq: 0, others: 0 };
    for (const [, , microseconds, command] of commands) spent[ownerOf(command)] += microseconds;
    const row = (what: string, microseconds: number): Row => ({
      what: `Redis's time for one, ${what}`,
      value: microseconds / done,
      unit: 'µs',
      reference: `${done} transactions, users: ${USERS}`,
    });
    return [
      row("the coin store's scripts", spent.store),
      row("BullMQ's scripts", spent.bullmq),
      row('other commands', spent.others),
    ];
  } finally {
    redis.disconnect();
  }
}

function ownerOf([name, , , key]: readonly string[]): 'store' | 'bullmq' | 'others' {
  if (name!.toLowerCase() !== 'evalsha') return 'others';
  return key!.startsWith(POOL_PREFIX) ? 'store' : 'bullmq';
}
