import { readdirSync, readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';
import type { CoinStoreRedis } from './run-script.js';

const LUA = new URL('../../lua/', import.meta.url);
const INCLUDES = new URL('includes/', LUA);

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

/**
 * A script, preceded by the definitions that it uses and no others: a run of the script creates each of them.
 */
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
