import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Failure } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/** The path of the first of these programs that is in a folder of PATH; undefined if none is. */
export function findProgram(names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** Whether this is Debian, or a system like it, and root. */
export function canInstallPackages() {
  return process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get');
}

/** Installs a package without those that it only recommends. Throws `Failure`. */
export async function installPackage(name) {
  await aptGet('update', '-qq');
  await aptGet('install', '-y', '-qq', '--no-install-recommends', name);
}

async function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { code, output, interrupted } = await runProgram('apt-get', args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (interrupted) process.exit(code);
  if (code !== 0) throw new Failure(`apt-get ${args.join(' ')} failed:\n${output.trimEnd()}`);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
