#!/usr/bin/env node
import { join, resolve } from 'node:path';
import { prepare } from './prepare.mjs';
import { Failure, runCommand } from './progress.mjs';
import { readOptions } from './read-options.mjs';
import { runProgram } from './run-program.mjs';

const HELP = `npm run pack:client [-- --out <folder>]

Makes forecourt-client-<version>.tgz, which npm install takes. Installs and builds what is needed first.

  --out  the folder of the file; default: where the command is given`;

/** Not npm's `prepack`: it would run without what it needs in a new clone, and not at all where scripts are ignored. */
await runCommand(async () => {
  const options = readOptions(HELP, { out: { type: 'string', default: '.' } });
  if (options === null) return 0;
  const { root, env } = await prepare({ redis: false });
  const out = resolve(process.env.INIT_CWD ?? root, options.out);
  const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', out];
  const { code, output } = await runProgram('npm', args, {
    cwd: join(root, 'packages', 'client'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (code !== 0) throw new Failure(`npm pack ended with ${code}:\n${output}`);
  process.stdout.write(`${join(out, output.trim())}\n`);
  return 0;
});
