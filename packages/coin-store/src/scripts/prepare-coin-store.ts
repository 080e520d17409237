import { readdirSync, readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';

const LUA = new URL('../../lua/', import.meta.url);
const INCLUDE = /^--@include ([a-z-]+)\n/gm;

type Argument = string | number;
type RunScript = (key: string, ...args: Argument[]) => Promise<unknown>;

/** A Redis connection that knows the coin store's scripts. */
export type CoinStoreRedis = (Redis | Cluster) & Record<`coinStore:${string}`, RunScript>;

/** Defines the scripts on a connection; ioredis sends each text once and its hash from then on. */
export function prepareCoinStore(redis: Redis | Cluster): CoinStoreRedis {
  for (const file of readdirSync(LUA)) {
    if (!file.endsWith('.lua')) continue;
    const name = file.slice(0, -'.lua'.length);
    redis.defineCommand(`coinStore:${name}`, { numberOfKeys: 1, lua: loadScript(file) });
  }
  return redis as CoinStoreRedis;
}

/** A script's text. `lua/includes/<name>.lua` takes the place of the first `--@include <name>` line. Throws when a file is missing. */
export function loadScript(file: string, included = new Set<string>()): string {
  return readFileSync(new URL(file, LUA), 'utf8').replace(INCLUDE, (_line, name: string) => {
    if (included.has(name)) return '';
    included.add(name);
    return loadScript(`includes/${name}.lua`, included);
  });
}

/**
 * Runs one script on a pool, or on the lock of an input. The prefix is the only key that is passed: its hash tag names the slot, and
 * `lua/includes/key.lua` builds every key from it. Rejects with ioredis's error when Redis does not answer, and so does
 * every caller.
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

/** A list of records, as `takeRecords` reads it. */
export function recordsOf(records: readonly (readonly Argument[])[]): Argument[] {
  return [records.length, ...records.flat()];
}

/** Reads a reply of flat pairs: field, value. An absent field reads as an empty text. */
export function fieldsOf(pairs: readonly Argument[]): (field: string) => string {
  const fields = new Map<Argument, string>();
  for (let i = 0; i < pairs.length; i += 2) fields.set(pairs[i]!, String(pairs[i + 1]));
  return (field) => fields.get(field) ?? '';
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n' };
const PLAIN: Readonly<Record<string, string>> = { '\\': '\\', t: '\t', n: '\n' };

/** Escapes a text for a field of a stored record; fields are separated by tabs and line ends. */
export function escapeText(text: string): string {
  return text.replace(/[\\\t\n]/g, (character) => ESCAPES[character]!);
}

/** Restores an escaped text. */
export function readEscaped(text: string): string {
  return text.replace(/\\([\\tn])/g, (_escape, character: string) => PLAIN[character]!);
}
