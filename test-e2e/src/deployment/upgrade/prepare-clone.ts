import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, DATA, ROOT } from '@forecourt/testing/system';
import type { Commit } from './choose-commit.js';
import { apps } from './upgrade-steps.js';

/** Reused by the next run. */
const CLONES = join(DATA, 'upgrade');

/** Runs a program with its output shown. Throws `Error` if its exit code is not 0. */
async function run(cwd: string, program: string, ...args: readonly string[]): Promise<void> {
  process.stderr.write(`${program} ${args.join(' ')}\n`);
  const child = spawn(program, args, { cwd, stdio: ['ignore', 2, 2] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args[0]} ended with ${code}`);
}

/** Whether the version in a clone has a service. */
export function hasApp(clone: string, app: App): boolean {
  return existsSync(join(clone, 'apps', app));
}

/**
 * A clone of the repository at a commit, with its own dependencies and with its services built. Returns its
 * folder.
 */
export async function prepareClone({ hash }: Commit): Promise<string> {
  const folder = join(CLONES, hash);
  const built = join(folder, '.data', 'built');
  if (existsSync(built)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(CLONES, { recursive: true });
  await run(CLONES, 'git', 'clone', '--quiet', '--shared', '--no-checkout', ROOT, folder);
  await run(folder, 'git', 'checkout', '--quiet', '--detach', hash);
  await run(folder, 'npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
  const filters = apps.filter((app) => hasApp(folder, app)).map((app) => `--filter=./apps/${app}`);
  await run(folder, 'npm', 'exec', '--no', '--', 'turbo', 'run', 'build', ...filters);
  mkdirSync(join(folder, '.data'), { recursive: true });
  writeFileSync(built, '');
  return folder;
}
