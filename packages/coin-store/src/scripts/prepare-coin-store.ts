import { readdirSync, readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';

export { escapeText, readEscaped } from '@forecourt/contracts';

const LUA = new URL('../../lua/', import.meta.url);
const INCLUDES = new URL('includes/', LUA);

type Argument = string | number;
type RunScript = (key: string, ...args: Argument[]) => Promise<unknown>;

/** A Redis connection that knows the coin store's scripts. */
export type CoinStoreRedis = (Redis | Cluster) & Record<`coinStore:${string}`, RunScript>;

/** Defines the scripts on a connection; ioredis sends each text once and its hash from then on. */
export function prepareCoinStore(redis: Redis | Cluster): CoinStoreRedis {
  const definitions = readDefinitions();
  for (const file of luaFilesOf(LUA)) {
    const lua = withDefinitions(readFileSync(new URL(file, LUA), 'utf8'), definitions);
    const name = file.slice(0, -'.lua'.length);
    redis.defineCommand(`coinStore:${name}`, { numberOfKeys: 1, lua });
  }
  return redis as CoinStoreRedis;
}

/** A `local` of `lua/includes`: a function or a value, by each of its names. */
type Definitions = ReadonlyMap<string, string>;

function readDefinitions(): Definitions {
  const definitions = new Map<string, string>();
  for (const file of luaFilesOf(INCLUDES)) {
    const code = readFileSync(new URL(file, INCLUDES), 'utf8').replace(/^ *--.*\n/gm, '');
    for (const text of code.split(/^(?=local )/m)) {
      const names = /^local (?:function )?(\w+(?:, \w+)*)/.exec(text)?.[1];
      for (const name of names?.split(', ') ?? []) {
        if (definitions.has(name)) throw new Error(`lua/includes defines ${name} twice`);
        definitions.set(name, text);
      }
    }
  }
  for (const [name, text] of definitions) definitions.set(name, toUndoable(text, definitions));
  return definitions;
}

const luaFilesOf = (folder: URL) => readdirSync(folder).filter((file) => file.endsWith('.lua'));

/** A script, preceded by the definitions that it uses and no others: a run of the script creates each of them. */
function withDefinitions(script: string, definitions: Definitions): string {
  const used = new Set<string>();
  const visited = new Set<string>();
  const addUsedBy = (text: string) => {
    const code = text.replace(/^ *--.*\n|'[^'\n]*'/gm, '');
    for (const [name] of code.matchAll(/(?<![.\w])[A-Za-z]\w*/g)) {
      const definition = definitions.get(name);
      if (definition === undefined || visited.has(definition)) continue;
      visited.add(definition);
      addUsedBy(definition);
      used.add(definition);
    }
  };
  const undoable = toUndoable(script, definitions);
  addUsedBy(undoable);
  if (![...used].some((definition) => definition.startsWith('local function undoable'))) {
    return [...used, script].join('');
  }
  const whole = `local function script()\n${undoable}end\nreturn runUndoably(script)\n`;
  addUsedBy(whole);
  return [...used, whole].join('');
}

/** The same with writes that note what takes them back (`lua/includes/undo.lua`). */
function toUndoable(code: string, definitions: { has(name: string): boolean }): string {
  return code.replace(/redis\.call\('([A-Z]+)', /g, (call, command: string) => {
    const name = `undoable${command}`;
    return definitions.has(name) ? `${name}(` : call;
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
