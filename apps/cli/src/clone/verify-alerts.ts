import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../workspace/failure.js';
import { runOfTests } from '../workspace/prepare.js';
import { runProgram } from '../workspace/run-program.js';
import { ROOT } from '../workspace/workspace-config.js';

const MISSING = `promtool is not installed. It belongs to Prometheus:

  apt-get install prometheus     Debian and Ubuntu
  brew install prometheus        macOS

Or take it from an archive of https://prometheus.io/download and put it into a folder of PATH.`;

const FOLDER = join('docker', 'prometheus');

/** `npm run verify -- alerts`. */
export function alertsCommand(command: Command): Command {
  return command
    .option(
      '--live',
      'instead, start a whole system and a Prometheus on loopback, stop parts of the system and spend its funds, and wait for the alerts about availability and funds to fire and to be resolved',
    )
    .addHelpText(
      'after',
      `
Checks docker/prometheus/alerts.yaml, and runs the unit tests of its alerts in docker/prometheus/tests. Needs promtool,
which belongs to Prometheus. --live takes about a quarter of an hour, writes test-e2e/results/alerts.md and ends with 1 if an
alert was not seen.`,
    )
    .action(async ({ live }: { readonly live?: boolean }) => {
      process.exitCode = await verifyAlerts(live === true);
    });
}

async function verifyAlerts(isLive: boolean): Promise<number> {
  if (spawnSync('promtool', ['--version']).error) throw new Failure(MISSING);
  if (isLive) return runOfTests(['operations', 'monitoring', 'drill', 'drill-alerts.js'], []);
  const tests = readdirSync(join(ROOT, FOLDER, 'tests')).map((file) => join(FOLDER, 'tests', file));
  const checked = await promtool('check', 'rules', join(FOLDER, 'alerts.yaml'));
  return checked || promtool('test', 'rules', ...tests);
}

async function promtool(...args: string[]): Promise<number> {
  const { code } = await runProgram('promtool', args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return code;
}
