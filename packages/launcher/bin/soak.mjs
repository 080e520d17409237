#!/usr/bin/env node
import { join } from 'node:path';
import { prepare, runTurbo } from './prepare.mjs';
import { Failure, runCommand } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/** Kills and faults under load, for long: `soak.mjs [--kills <n>] [--seed <n>] [--minutes <n>] [--help]`. */
await runCommand(async () => {
  const { root, env, node } = await prepare({ redis: true });
  const { code: built, output } = await runTurbo('build', env, './test-e2e');
  if (built !== 0) throw new Failure(`the build failed:\n${output.trimEnd()}`);
  const main = join(root, 'test-e2e', 'dist', 'chaos', 'soak.js');
  const { code } = await runProgram(
    node,
    ['--enable-source-maps', main, ...process.argv.slice(2)],
    {
      ...{ cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] },
    },
  );
  return code;
});
