#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { Failure, runCommand } from './progress.mjs';
import { readOptions } from './read-options.mjs';
import { runMeasurement } from './run-measurement.mjs';

const MAX_SECONDS = 3_600;
const HELP = `npm run verify:containers [-- --seconds <n>] [-- --keep]

Builds the image and runs docker/compose.yaml with three executors, as a Compose project and with secrets of its own. While
clients sponsor transactions it kills executors, coin-pool, gateway and Redis, and restores an old backup of Redis; then it
checks every transaction, the audit and the coins, and measures what the idle containers use. Needs Docker Engine 25 and
Compose 2.20.2, or later, and the ports 9000, 9123, 9527 and 9528 of 127.0.0.1. Takes about ten minutes, writes
test-e2e/results/containers.md, ends with 1 when anything does not hold, and removes what it made.

  --seconds  (60) how long containers are killed under load; each is killed at least once
  --keep     keeps the containers, volumes and secrets, to be looked at`;

/** What is needed, and how docker says which version there is. */
const NEEDED = [
  ['Docker Engine', '25.0.0', ['version', '--format', '{{.Server.Version}}']],
  ['Compose', '2.20.2', ['compose', 'version', '--short']],
];

await runCommand(async () => {
  const options = readOptions(HELP, {
    seconds: { type: 'string', default: '60' },
    keep: { type: 'boolean', default: false },
  });
  if (options === null) return 0;
  const { seconds, keep } = options;
  if (!/^\d+$/.test(seconds) || Number(seconds) > MAX_SECONDS) {
    throw new Failure(`--seconds must be a number from 0 to ${MAX_SECONDS}, not ${seconds}`);
  }
  for (const needed of NEEDED) requireVersion(needed);
  const args = ['--seconds', seconds];
  if (keep) args.push('--keep');
  return runMeasurement(['deployment', 'containers', 'verify-containers.js'], args);
});

/** Throws `Failure` when it is missing or too old. */
function requireVersion([name, wanted, args]) {
  const { status, stdout, stderr, error } = spawnSync('docker', args, { encoding: 'utf8' });
  if (error) throw new Failure(`docker is not installed: ${name} ${wanted} or later is needed`);
  if (status !== 0) {
    throw new Failure(`${name} ${wanted} or later is needed, docker says: ${stderr.trim()}`);
  }
  const installed = stdout.trim().replace(/^v/, '');
  if (installed.localeCompare(wanted, 'en', { numeric: true }) >= 0) return;
  throw new Failure(`${name} ${installed} is too old: ${wanted} or later is needed`);
}
