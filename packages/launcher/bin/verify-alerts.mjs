#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { Failure, runCommand } from './progress.mjs';
import { readOptions } from './read-options.mjs';
import { runProgram } from './run-program.mjs';

const HELP = `npm run verify:alerts

Checks docker/prometheus/alerts.yaml, and runs the unit tests of its alerts in docker/prometheus/tests. Needs promtool,
which belongs to Prometheus.`;

const MISSING = `promtool is not installed. It belongs to Prometheus:

  apt-get install prometheus     Debian and Ubuntu
  brew install prometheus        macOS

Or take it from an archive of https://prometheus.io/download and put it into a folder of PATH.`;

const FOLDER = join('docker', 'prometheus');

await runCommand(async () => {
  if (readOptions(HELP, {}) === null) return 0;
  if (spawnSync('promtool', ['--version']).error) throw new Failure(MISSING);
  const tests = readdirSync(join(root, FOLDER, 'tests')).map((file) => join(FOLDER, 'tests', file));
  const promtool = async (...args) => {
    const { code } = await runProgram('promtool', args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return code;
  };
  const checked = await promtool('check', 'rules', join(FOLDER, 'alerts.yaml'));
  return checked || promtool('test', 'rules', ...tests);
});
