import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The repository's folder; it is equally far from the sources and from the build. */
export const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** Where everything a started system writes is kept. */
export const DATA = join(ROOT, '.data');

export type App = 'gateway' | 'coin-pool' | 'executor' | 'events' | 'devnet';

/** A program of an app, as it was built in a clone of the repository: the bundle, where the clone's build makes one. */
export function appProgram(app: App | 'cli', entry = 'main.js', clone = ROOT): string {
  const built = join(clone, 'apps', app, 'dist');
  const bundle = join(built, 'bundle', entry);
  return existsSync(bundle) ? bundle : join(built, entry);
}
