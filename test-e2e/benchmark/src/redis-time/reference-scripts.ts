import { readFileSync } from 'node:fs';
import type { GasCoin } from '@forecourt/ledger';
import type { Redis } from 'ioredis';

type RunScript = (...args: (string | number)[]) => Promise<unknown>;
/** Number of keys of each, by name. */
const SCRIPTS = {
  'take-from-list': 5,
  'commands-of-reservations': 1,
  'commands-of-a-settlement': 1,
} as const;
type WithReferences = Redis & Record<`reference:${keyof typeof SCRIPTS}`, RunScript>;

const LUA = new URL('../../lua/', import.meta.url);
const PREFIX = 'reference:';
const LIST_KEYS = ['coins', 'count', 'balance', 'sequence', 'deadlines'].map(
  (name) => `${PREFIX}${name}`,
);
const MAX_COINS = 255;
const GAS = 1_000_000;
const RETENTION_MS = 1_000;

/** The result of `reserve`, for `settle`. */
export interface PlainReservation {
  readonly id: string;
  readonly coin: string;
}

/** The reference scripts for those of the coin store, on a connection that has loaded them. */
export class ReferenceScripts {
  readonly #redis: WithReferences;

  constructor(redis: Redis) {
    for (const [name, numberOfKeys] of Object.entries(SCRIPTS)) {
      const lua = readFileSync(new URL(`${name}.lua`, LUA), 'utf8');
      redis.defineCommand(`${PREFIX}${name}`, { numberOfKeys, lua });
    }
    this.#redis = redis as WithReferences;
  }

  /** Fills the plain list. */
  async addCoins(coins: readonly GasCoin[]): Promise<void> {
    const texts = coins.map((coin) =>
      [coin.balance, coin.objectId, coin.version, coin.digest].join(','),
    );
    await this.#redis.rpush('reference:coins', ...texts);
  }

  /** Throws when the list does not cover the budget. */
  async takeFromList(budget: bigint): Promise<void> {
    const deadline = Date.now() + 60_000;
    const reply = await this.#redis['reference:take-from-list'](
      ...LIST_KEYS,
      String(budget),
      deadline,
      MAX_COINS,
      `${PREFIX}reservation:`,
    );
    if (reply === null) throw new Error('the list of the reference ran empty');
  }

  /** The bare commands of reservations of one coin each. */
  async reserve(count: number): Promise<PlainReservation[]> {
    const deadline = Date.now() + 60_000;
    const replies = await this.#redis['reference:commands-of-reservations'](
      PREFIX,
      count,
      deadline,
    );
    return (replies as [string, string, string][]).map(([id, , coin]) => ({ id, coin }));
  }

  /** The commands of the settlement of one of these; its coin returns to the list. */
  async settle({ id, coin }: PlainReservation): Promise<void> {
    await this.#redis['reference:commands-of-a-settlement'](PREFIX, id, coin, GAS, RETENTION_MS);
  }
}

const SCRIPT_CALLS = /^cmdstat_eval(?:sha)?:calls=(\d+),usec=(\d+)/gm;

/**
 * Redis's own time inside the scripts that `work` calls, in µs, by `INFO commandstats`. No other
 * client may call scripts meanwhile.
 */
export async function scriptTime(redis: Redis, work: () => Promise<unknown>): Promise<number> {
  await redis.config('RESETSTAT');
  await work();
  const stats = await redis.info('commandstats');
  let usec = 0;
  for (const [, , spent] of stats.matchAll(SCRIPT_CALLS)) usec += Number(spent);
  return usec;
}
