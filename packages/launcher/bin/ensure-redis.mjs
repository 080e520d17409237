import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { canInstallPackages, findProgram, installPackage } from './debian-packages.mjs';
import { Failure, say } from './progress.mjs';
import { runProgram } from './run-program.mjs';

const PROGRAMS = ['redis-server', 'valkey-server'];
/** Debian asks this file whether a service may be started after its installation. */
const POLICY = '/usr/sbin/policy-rc.d';

/** Makes sure that a Redis server program is there: finds one or, on Debian as root, installs it. Throws `Failure`. */
export async function ensureRedisProgram() {
  if (findProgram(PROGRAMS)) return;
  if (!canInstallPackages()) {
    throw new Failure(
      'No Redis server was found. Install one (Debian, Ubuntu: sudo apt-get install redis-server;\n' +
        'macOS: brew install redis), or name a running one: REDIS_URL=redis://host:6379 npm start',
    );
  }
  say('installing a Redis server (apt-get install redis-server) …');
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
  if (!findProgram(PROGRAMS))
    throw new Failure('redis-server was installed, but is not on the PATH');
}
