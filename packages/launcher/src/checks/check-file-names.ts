import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listFiles } from './read-texts.js';

const SCOPE = '@forecourt/';
/** Names that a folder or an app gives by convention. */
const CONVENTIONAL = new Set(['index.ts', 'main.ts']);

/**
 * Finds file names that occur twice within an app and the packages that it uses, so that a name identifies a file.
 * Returns a line for each.
 */
export function checkFileNames(root: string): string[] {
  return readdirSync(join(root, 'apps')).flatMap((app) => {
    const named = new Map<string, string[]>();
    for (const workspace of withUsedPackages(root, `apps/${app}`)) {
      for (const path of sourcesOf(root, workspace)) {
        named.set(basename(path), [...(named.get(basename(path)) ?? []), path]);
      }
    }
    return [...named]
      .filter(([name, paths]) => paths.length > 1 && !CONVENTIONAL.has(name))
      .map(([, paths]) => `apps/${app} uses files of the same name: ${paths.join(', ')}`);
  });
}

function withUsedPackages(root: string, workspace: string, found = new Set<string>()) {
  if (found.has(workspace)) return found;
  found.add(workspace);
  const manifest = readFileSync(join(root, workspace, 'package.json'), 'utf8');
  const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: object };
  for (const name of Object.keys(dependencies)) {
    const used = `packages/${name.slice(SCOPE.length)}`;
    // The station also depends on apps, each of which is checked by itself.
    if (name.startsWith(SCOPE) && existsSync(join(root, used))) withUsedPackages(root, used, found);
  }
  return found;
}

function sourcesOf(root: string, workspace: string): string[] {
  return ['src', 'lua']
    .map((folder) => `${workspace}/${folder}`)
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => listFiles(root, folder))
    .filter((path) => /\.(ts|mjs|lua)$/.test(path));
}
