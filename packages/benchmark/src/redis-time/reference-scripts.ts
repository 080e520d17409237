import { readFileSync } from 'node:fs';
import type { GasCoin } from '@forecourt/ledger';
import type { Redis } from 'ioredis';

type RunScript = (...args: (string | number)[]) => Promise<unknown>;
type WithReferences = Redis & Record<'reference:take-from-list', RunScript>;

const LUA = new URL('../../lua/', import.meta.url);
const LIST_KEYS = ['coins', 'count', 'balance', 'sequence', 'deadlines'].map(
  (name) => `reference:${name}`,
);
const MAX_COINS = 255;

/** The scripts that the coin store's are compared with, on a connection that knows them. */
export class ReferenceScripts {
  private readonly redis: WithReferences;

  constructor(redis: Redis) {
    const lua = (name: string) => readFileSync(new URL(`${name}.lua`, LUA), 'utf8');
    redis.defineCommand('reference:take-from-list', {
      numberOfKeys: LIST_KEYS.length,
      lua: lua('take-from-list'),
    });
    this.redis = redis as WithReferences;
  }

  /** Fills the plain list. */
  async addCoins(coins: readonly GasCoin[]): Promise<void> {
    const texts = coins.map((coin) =>
      [coin.balance, coin.objectId, coin.version, coin.digest].join(','),
    );
    await this.redis.rpush('reference:coins', ...texts);
  }

  /** Throws when the list does not cover the budget. */
  async takeFromList(budget: bigint): Promise<void> {
    const deadline = Date.now() + 60_000;
    const reply = await this.redis['reference:take-from-list'](
      ...LIST_KEYS,
      String(budget),
      deadline,
      MAX_COINS,
      'reference:reservation:',
    );
    if (reply === null) throw new Error('the list of the reference ran empty');
  }
}
