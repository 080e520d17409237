import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { Failure } from '../workspace/failure.js';
import { runOfTests } from '../workspace/prepare.js';
import { compareVersions } from './compare-versions.js';

const MAX_SECONDS = 3_600;
/** Programs with their oldest version, and the arguments with which docker prints the installed one. */
const NEEDED = [
  { name: 'Docker Engine', oldest: '25.0.0', ask: ['version', '--format', '{{.Server.Version}}'] },
  { name: 'Compose', oldest: '2.20.2', ask: ['compose', 'version', '--short'] },
];

/** `npm run verify -- containers`. */
export function containersCommand(command: Command): Command {
  return command
    .option(
      '--seconds <n>',
      'how long containers are killed under load; each is killed at least once',
      '60',
    )
    .option('--keep', 'keep the containers, volumes and secrets, to be looked at')
    .addHelpText(
      'after',
      `
Builds the image and runs docker/compose.yaml with three executors, as a separate Compose project with new secrets. While
clients sponsor transactions it kills executors, coin-pool, gateway and Redis, and restores an old backup of Redis; then it
checks every transaction, the audit and the coins, and measures what the idle containers use. Needs Docker Engine 25 and
Compose 2.20.2, or later, and the ports 9000, 9123, 9527 and 9528 of 127.0.0.1. Takes about ten minutes, writes
test-e2e/results/containers.md, ends with 1 when anything does not hold, and removes what it made.`,
    )
    .action(verifyContainers);
}

interface ContainersOptions {
  readonly seconds: string;
  readonly keep?: boolean;
}

async function verifyContainers({ seconds, keep }: ContainersOptions): Promise<void> {
  if (!/^\d+$/.test(seconds) || Number(seconds) > MAX_SECONDS) {
    throw new Failure(`--seconds must be a number from 0 to ${MAX_SECONDS}, not ${seconds}`);
  }
  NEEDED.forEach(requireVersion);
  const flags = keep ? ['--keep'] : [];
  process.exitCode = await runOfTests(
    ['deployment', 'containers', 'verify-containers.js'],
    ['--seconds', seconds, ...flags],
  );
}

/** Throws `Failure` when the program is missing or too old. */
function requireVersion({ name, oldest, ask }: (typeof NEEDED)[number]): void {
  const { status, stdout, stderr, error } = spawnSync('docker', ask, { encoding: 'utf8' });
  const needed = `${oldest} or later is needed`;
  if (error) throw new Failure(`docker is not installed: ${name} ${needed}`);
  if (status !== 0) throw new Failure(`${name} ${needed}, docker says: ${stderr.trim()}`);
  const installed = stdout.trim().replace(/^v/, '');
  if (compareVersions(installed, oldest) >= 0) return;
  throw new Failure(`${name} ${installed} is too old: ${needed}`);
}
