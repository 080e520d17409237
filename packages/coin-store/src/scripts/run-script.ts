import type { Cluster, Redis } from 'ioredis';

type Argument = string | number;
type RunScript = (key: string, ...args: Argument[]) => Promise<unknown>;

/** A Redis connection that knows the coin store's scripts. */
export type CoinStoreRedis = (Redis | Cluster) & Record<`coinStore:${string}`, RunScript>;

/**
 * Runs one script on a pool, or on the lock of an input. The prefix is the only key that is passed: its hash
 * tag names the slot, and `lua/includes/key.lua` builds every key from it. Rejects with ioredis's error when
 * Redis does not answer, and so does every caller.
 */
export function runScript(
  redis: CoinStoreRedis,
  name: string,
  sponsorOrInput: string,
  ...args: Argument[]
): Promise<unknown> {
  return redis[`coinStore:${name}`]!(poolKey(sponsorOrInput, ''), ...args);
}

/** One key of a pool, for a single command that needs no script. `lua/includes/key.lua` lists them. */
export function poolKey(sponsor: string, name: string): string {
  return `fc:{${sponsor}}:${name}`;
}

/** A list of arguments, as `takeList` of `lua/includes/arguments.lua` reads it. */
export function listOf(items: readonly Argument[]): Argument[] {
  return [items.length, ...items];
}

/** A list of records, as `takeRecords` and `takePairs` read it. */
export function recordsOf(records: readonly (readonly Argument[])[]): Argument[] {
  return [records.length, ...records.flat()];
}

/** Reads a reply of flat pairs: field, value. An absent field reads as an empty text. */
export function fieldsOf(pairs: readonly Argument[]): (field: string) => string {
  const fields = new Map<Argument, string>();
  for (let i = 0; i < pairs.length; i += 2) fields.set(pairs[i]!, String(pairs[i + 1]));
  return (field) => fields.get(field) ?? '';
}
