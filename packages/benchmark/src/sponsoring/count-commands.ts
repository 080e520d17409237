import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Row } from '../row.js';
import type { BenchSystem } from './bench-system.js';

const SECONDS = 4;
const IDLE = 6;
const LOADED = 4;
/** The origin of a command that a script runs. */
const SCRIPT = 'lua';

/**
 * Counts the scripts and commands that Redis receives for one sponsored transaction, without
 * periodic ones.
 */
export async function countCommands(bench: BenchSystem): Promise<Row[]> {
  const beside = await commandsDuring(bench, () => delay(SECONDS * 1_000, { done: 0 }));
  const row = async (what: string, users: number, most: number): Promise<Row> => {
    const { load, sponsoring } = bench;
    const task = { ...sponsoring, users, seconds: SECONDS };
    const sent = await commandsDuring(bench, () => load.run(task));
    const value = (sent.commands - beside.commands) / sent.done;
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
