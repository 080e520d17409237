import { join, resolve } from 'node:path';
import { Failure, readOptions } from '../workspace/command.js';
import { prepare } from '../workspace/prepare.js';
import { runProgram } from '../workspace/run-program.js';
import { CALLER_FOLDER, ROOT, toolEnvironment } from '../workspace/workspace-config.js';

const HELP = `npm run forecourt -- pack-client [--out <folder>]

Makes forecourt-client-<version>.tgz, which npm install takes. Installs and builds what is needed first.

  --out  the folder of the file; default: where the command is given`;

/**
 * `npm run forecourt -- pack-client`. Not npm's `prepack`, which runs before anything is installed in a new
 * clone, and not at all where scripts are ignored.
 */
export async function packClient(args: string[]): Promise<number> {
  const options = readOptions(HELP, { out: { type: 'string', default: '.' } }, args);
  if (options === null) return 0;
  await prepare({ workspaces: ['./packages/client'] });
  const out = resolve(CALLER_FOLDER, options.out);
  const pack = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', out];
  const { code, output } = await runProgram('npm', pack, {
    cwd: join(ROOT, 'packages', 'client'),
    env: toolEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (code !== 0) throw new Failure(`npm pack ended with ${code}:\n${output}`);
  process.stdout.write(`${join(out, output.trim())}\n`);
  return 0;
}
