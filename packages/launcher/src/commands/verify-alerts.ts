import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, readOptions } from '../workspace/command.js';
import { runOfTests } from '../workspace/prepare.js';
import { runProgram } from '../workspace/run-program.js';
import { ROOT } from '../workspace/workspace-config.js';

const HELP = `npm run verify -- alerts [--live]

Checks docker/prometheus/alerts.yaml, and runs the unit tests of its alerts in docker/prometheus/tests. Needs promtool,
which belongs to Prometheus.

  --live  instead, starts a whole system and a Prometheus on loopback, stops parts of the system and spends its funds, and
          waits for the alerts about availability and funds to fire and to be resolved. Takes about a quarter of an hour;
          writes test-e2e/results/alerts.md and ends with 1 if an alert was not seen.`;

const MISSING = `promtool is not installed. It belongs to Prometheus:

  apt-get install prometheus     Debian and Ubuntu
  brew install prometheus        macOS

Or take it from an archive of https://prometheus.io/download and put it into a folder of PATH.`;

const FOLDER = join('docker', 'prometheus');

/** `npm run verify -- alerts`. */
export async function verifyAlerts(args: string[]): Promise<number> {
  const options = readOptions(HELP, { live: { type: 'boolean' } }, args);
  if (options === null) return 0;
  if (spawnSync('promtool', ['--version']).error) throw new Failure(MISSING);
  if (options.live) return runOfTests(['operations', 'monitoring', 'drill', 'drill-alerts.js'], []);
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
