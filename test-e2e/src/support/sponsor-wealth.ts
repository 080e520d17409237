import { readCaps } from '@forecourt/policy/access';
import { COIN_STORAGE_COST } from '@forecourt/ledger';
import { readYaml } from '@forecourt/policy/yaml';
import type { IotaClient } from '@iota/iota-sdk/client';
import type { Redis } from 'ioredis';
import type { TestSystem } from './test-system.js';

const BUDGET = 'budget: { value: 9_000_000_000_000_000, window: 30 days }';

/** A line of the file of tokens: an effectively unlimited budget that counts everything. */
export function countingBudget(): string {
  return BUDGET;
}

/**
 * The sponsor's worth in the smallest unit: the balance of its coins, and the deposits that the ledger
 * refunds when they are merged. Splitting and merging changes it only by the cost of computation.
 */
export async function readSponsorWealth(ledger: IotaClient, sponsor: string): Promise<bigint> {
  let wealth = 0n;
  let cursor: string | null | undefined = null;
  do {
    const page = await ledger.getCoins({ owner: sponsor, cursor });
    for (const { balance } of page.data) wealth += BigInt(balance) + COIN_STORAGE_COST;
    cursor = page.hasNextPage ? page.nextCursor : null;
  } while (cursor);
  return wealth;
}

/**
 * The sponsor's worth once nothing is in flight and the pool has this many available coins, and the node shows
 * all of them: pages of coins in motion do not add up.
 */
export async function readWealthAtRest(system: TestSystem, coins: number): Promise<bigint> {
  await system.until(async () => {
    const { reserved, claimed, executing, maintenance, available } = (await system.totals()).coins;
    return reserved + claimed + executing + maintenance === 0n && available >= BigInt(coins);
  });
  await system.control.untilShown();
  return readSponsorWealth(system.ledger, system.sponsor);
}

/** Token's name → the amount counted in its budget in the pools of these sponsors, in the smallest unit. */
export async function readCounted(
  redis: Pick<Redis, 'hget'>,
  sponsors: readonly string[],
  tokens: readonly string[],
): Promise<Record<string, bigint>> {
  const counted: Record<string, bigint> = {};
  for (const name of tokens) {
    const [limit] = readCaps(readYaml(BUDGET).take('budget'), { kind: 'token', name });
    counted[name] = 0n;
    for (const sponsor of sponsors) {
      const used = await redis.hget(`fc:{${sponsor}}:usage:${limit!.counter}`, 'used');
      counted[name] += BigInt(used ?? 0);
    }
  }
  return counted;
}

export function sumOfCounted(counted: Readonly<Record<string, bigint>>): bigint {
  return Object.values(counted).reduce((sum, one) => sum + one, 0n);
}
