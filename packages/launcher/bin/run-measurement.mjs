import { join } from 'node:path';
import { prepare, runTurbo } from './prepare.mjs';
import { Failure } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/** Builds and runs a program of test-e2e, and resolves with its exit code. Throws `Failure`. */
export async function runMeasurement(program, args) {
  const { root, env, node } = await prepare({ redis: true });
  const { code: built, output } = await runTurbo('build', env, './test-e2e');
  if (built !== 0) throw new Failure(`the build failed:\n${output.trimEnd()}`);
  const main = join(root, 'test-e2e', 'dist', ...program);
  const { code } = await runProgram(node, ['--enable-source-maps', main, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return code;
}
