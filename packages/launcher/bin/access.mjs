#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chooseNode } from './choose-node.mjs';
import { root } from './prepare.mjs';
import { Failure, runCommand } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/** Checks files of rules and tokens, and explains what they decide of a transaction. */
await runCommand(async () => {
  const main = join(root, 'apps', 'cli', 'dist', 'access.js');
  if (!existsSync(main)) throw new Failure('nothing is built yet: run npm start or npm run build');
  const { code } = await runProgram(
    chooseNode(root),
    ['--enable-source-maps', main, ...process.argv.slice(2)],
    {
      cwd: process.env.INIT_CWD ?? root,
      env: process.env,
      stdio: ['inherit', 'inherit', 'inherit'],
    },
  );
  return code;
});
