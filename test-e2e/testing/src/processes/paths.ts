import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The repository's folder, at the same relative path from sources and build. */
export const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** The folder for all files of started systems. */
export const DATA = join(ROOT, '.data');

export type App = 'gateway' | 'coin-pool' | 'executor' | 'events' | 'history' | 'devnet';

/** The code of a process: an app, or with `station` all of them but devnet. */
export type Program = App | 'station';

/**
 * A program of an app in a built clone of the repository: the bundle, where the clone's build makes
 * one.
 */
export function appProgram(app: Program | 'cli', entry = 'main.js', clone = ROOT): string {
  const built = join(clone, 'apps', app, 'dist');
  const bundle = join(built, 'bundle', entry);
  return existsSync(bundle) ? bundle : join(built, entry);
}
