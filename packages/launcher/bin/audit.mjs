#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseNode } from './choose-node.mjs';
import { root } from './prepare.mjs';
import { Failure, runCommand } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/** Compares the coins on the ledger with those in the pool, for the system that `npm start` runs or for the environment. */
await runCommand(async () => {
  const main = join(root, 'apps', 'cli', 'dist', 'audit.js');
  if (!existsSync(main)) throw new Failure('nothing is built yet: run npm start or npm run build');
  const running = join(root, '.data', 'running.json');
  const started = existsSync(running) ? JSON.parse(readFileSync(running, 'utf8')).audit : {};
  const { code } = await runProgram(
    chooseNode(root),
    ['--enable-source-maps', main, ...process.argv.slice(2)],
    { cwd: root, env: { ...process.env, ...started }, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  return code;
});
