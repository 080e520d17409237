import { Redis } from 'ioredis';
import type { Row } from '../row.js';
import type { BenchSystem } from './bench-system.js';

const USERS = 64;
const SECONDS = 4;
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
