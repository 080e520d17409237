import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ROOT } from '@forecourt/testing/system';
import { mutateLua } from './mutate-lua.js';
import { mutateTypescript } from './mutate-typescript.js';
import { type Mutation, mutationOf } from './mutation.js';

/** The packages that can be mutated, with their folders. */
export const TARGETS = {
  'coin-store': 'packages/coin-store',
  policy: 'packages/policy',
  ledger: 'packages/ledger',
  executor: 'apps/executor',
  gateway: 'apps/gateway',
} as const;
export type Target = keyof typeof TARGETS;

/**
 * Not mutated: generated code, tests and their support, type declarations, indexes, modules, and tables of
 * settings.
 */
const NOT_MUTATED =
  /\/(?:generated|move-bytecode)\/|\.(?:test|test-support|module|d)\.ts$|(?:^|\/)(?:index|main)\.ts$|-config\.ts$/;

/** Every mutation of a target's sources. */
export function findMutations(target: Target): Mutation[] {
  return ['src', 'lua'].flatMap((folder) =>
    filesBelow(`${TARGETS[target]}/${folder}`).flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      const replacements = file.endsWith('.lua') ? mutateLua(text) : mutateTypescript(text);
      return replacements.map((replacement) => mutationOf(file, text, replacement));
    }),
  );
}

function filesBelow(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
  return names
    .map((name) => `${folder}/${name.split(sep).join('/')}`)
    .filter((file) => /\.(?:ts|lua)$/.test(file) && !NOT_MUTATED.test(file))
    .sort();
}
