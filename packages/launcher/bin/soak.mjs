#!/usr/bin/env node
import { join } from 'node:path';
import { prepare, runTurbo } from './prepare.mjs';
import { Failure, runCommand } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/**
 * Long runs: `soak.mjs [--help]` kills and injects faults under load, `soak.mjs attacks [--help]` has attackers beside
 * honest clients.
 */
await runCommand(async () => {
  const { root, env, node } = await prepare({ redis: true });
  const { code: built, output } = await runTurbo('build', env, './test-e2e');
  if (built !== 0) throw new Failure(`the build failed:\n${output.trimEnd()}`);
  const [first, ...rest] = process.argv.slice(2);
  const dist = join(root, 'test-e2e', 'dist');
  const [main, args] =
    first === 'attacks'
      ? [join(dist, 'attacks', 'soak', 'soak.js'), rest]
      : [join(dist, 'chaos', 'soak.js'), process.argv.slice(2)];
  const { code } = await runProgram(node, ['--enable-source-maps', main, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return code;
});
