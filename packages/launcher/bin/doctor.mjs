#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseNode } from './choose-node.mjs';
import { root } from './prepare.mjs';
import { Failure, runCommand } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/** Examines the ledger nodes of the system that `npm start` runs, of the environment, or of `--url`. */
await runCommand(async () => {
  const main = join(root, 'apps', 'cli', 'dist', 'doctor.js');
  if (!existsSync(main)) throw new Failure('nothing is built yet: run npm start or npm run build');
  const running = join(root, '.data', 'running.json');
  const started = existsSync(running) ? JSON.parse(readFileSync(running, 'utf8')).audit : {};
  const { LEDGER_URL = started.LEDGER_URL } = process.env;
  const env = LEDGER_URL ? { ...process.env, LEDGER_URL } : process.env;
  const { code } = await runProgram(
    chooseNode(root),
    ['--enable-source-maps', main, ...process.argv.slice(2)],
    { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  return code;
});
