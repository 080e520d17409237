#!/usr/bin/env node
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { runCommand, startedAt } from './progress.mjs';
import { requireFreePorts } from './require-free-ports.mjs';
import { runProgram } from './run-program.mjs';

const USAGE = `npm start                start everything and sponsor one transaction, then stay up
npm start -- --once      the same, then stop; the last line on standard output is JSON
npm start -- --help      this text

Variables: REDIS_URL, LEDGER_URL, SPONSOR_KEYS, FAUCET_URL, GAS_STATION_AUTH, FLEET_SECRET, FORECOURT_REDIS_PORT,
and every variable of the services (see docs/configuration.md).
`;

await runCommand(async () => {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => !['--once', '--help', '-h'].includes(arg));
  if (unknown !== undefined) {
    process.stderr.write(`unknown argument ${unknown}\n\n${USAGE}`);
    return 2;
  }
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return 0;
  }
  await requireFreePorts(process.env);
  const { root, env, node } = await prepare({ redis: !process.env.REDIS_URL });
  const main = join(root, 'packages', 'launcher', 'dist', 'start', 'main.js');
  // A session of its own, so that a terminal's Ctrl-C reaches the services through the launcher, in order. The pipe on
  // its standard input tells it when this process is gone.
  const { code } = await runProgram(node, ['--enable-source-maps', main, ...args], {
    cwd: root,
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...env, FORECOURT_STARTED_AT: String(startedAt) },
  });
  return code;
});
