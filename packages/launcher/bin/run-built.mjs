import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chooseNode } from './choose-node.mjs';
import { root } from './prepare.mjs';
import { Failure } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/**
 * Runs the built program of a workspace with the arguments of this command, and resolves with its exit code. Throws
 * `Failure` if it is not built.
 */
export async function runBuilt(program, options) {
  const main = join(root, ...program);
  if (!existsSync(main)) throw new Failure('nothing is built yet: run npm start or npm run build');
  const args = ['--enable-source-maps', main, ...process.argv.slice(2)];
  const { code } = await runProgram(chooseNode(root), args, { cwd: root, ...options });
  return code;
}
