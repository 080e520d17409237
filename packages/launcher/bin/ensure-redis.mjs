import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Failure, say } from './progress.mjs';
import { runProgram } from './run-program.mjs';

const PROGRAMS = ['redis-server', 'valkey-server'];
/** Debian asks this file whether a service may be started after its installation. */
const POLICY = '/usr/sbin/policy-rc.d';

/** Makes sure that a Redis server program is there: finds one or, on Debian as root, installs it. */
export async function ensureRedisProgram() {
  if (isOnPath()) return;
  if (!canInstall()) {
    throw new Failure(
      'No Redis server was found. Install one (Debian, Ubuntu: sudo apt-get install redis-server;\n' +
        'macOS: brew install redis), or name a running one: REDIS_URL=redis://host:6379 npm start',
    );
  }
  say('installing a Redis server (apt-get install redis-server) …');
  const denyStart = !existsSync(POLICY);
  if (denyStart) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await aptGet('update', '-qq');
    await aptGet('install', '-y', '-qq', '--no-install-recommends', 'redis-server');
  } finally {
    if (denyStart) rmSync(POLICY, { force: true });
  }
  if (existsSync('/run/systemd/system')) {
    await runProgram('systemctl', ['disable', '--now', 'redis-server'], { stdio: 'ignore' });
  }
  if (!isOnPath()) throw new Failure('redis-server was installed, but is not on the PATH');
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

function isOnPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return PROGRAMS.some((name) => folders.some((folder) => isExecutable(join(folder, name))));
}

function canInstall() {
  return process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get');
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
