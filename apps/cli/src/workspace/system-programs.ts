import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Failure } from './failure.js';
import { runProgram } from './run-program.js';
import { say } from './say.js';
import { environment } from './workspace-config.js';

const REDIS = ['redis-server', 'valkey-server'];
const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
/** Debian asks this file whether a service may be started after its installation. */
const POLICY = '/usr/sbin/policy-rc.d';

const NO_REDIS = `No Redis server was found. Install one (Debian, Ubuntu: sudo apt-get install redis-server;
macOS: brew install redis), or name a running one: REDIS_URL=redis://host:6379 npm start`;

const NO_CHROMIUM = `Chromium is not installed:

  sudo apt-get install chromium     Debian
  brew install --cask chromium      macOS

Or name a Chromium or Chrome with the variable CHROMIUM`;

/** Finds a Redis server program or, on Debian as root, installs one. Throws `Failure`. */
export async function ensureRedisProgram(): Promise<void> {
  if (findProgram(REDIS)) return;
  if (!canInstallPackages()) throw new Failure(NO_REDIS);
  const denyStart = !existsSync(POLICY);
  if (denyStart) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await installPackage('redis-server');
  } finally {
    if (denyStart) rmSync(POLICY, { force: true });
  }
  if (existsSync('/run/systemd/system')) {
    await runProgram('systemctl', ['disable', '--now', 'redis-server'], { stdio: 'ignore' });
  }
  if (!findProgram(REDIS)) {
    throw new Failure('redis-server was installed, but is not on the PATH');
  }
}

/** The path of a Chromium: `CHROMIUM`, or one of PATH; undefined: none is installed. */
export function findChromium(): string | undefined {
  return environment['CHROMIUM'] || findProgram(CHROMIUM);
}

/**
 * The path of a Chromium: `CHROMIUM`, one of PATH or, on Debian as root, one that is installed now. Throws
 * `Failure`.
 */
export async function ensureChromium(): Promise<string> {
  const present = findChromium();
  if (present) return present;
  if (!canInstallPackages()) throw new Failure(NO_CHROMIUM);
  await installPackage('chromium');
  const installed = findProgram(CHROMIUM);
  if (!installed) throw new Failure(NO_CHROMIUM);
  return installed;
}

function findProgram(names: readonly string[]): string | undefined {
  const folders = (environment['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** Whether this is Debian, or a system like it, and root. */
function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get');
}

/** Installs a package without those that it only recommends. Throws `Failure`. */
async function installPackage(name: string): Promise<void> {
  say(`installing ${name} (apt-get install ${name}) …`);
  await aptGet('update', '-qq');
  await aptGet('install', '-y', '-qq', '--no-install-recommends', name);
}

async function aptGet(...args: string[]): Promise<void> {
  const env = { ...environment, DEBIAN_FRONTEND: 'noninteractive' };
  const { code, output, interrupted } = await runProgram('apt-get', args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (interrupted) process.exit(code);
  if (code !== 0) throw new Failure(`apt-get ${args.join(' ')} failed:\n${output.trimEnd()}`);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
