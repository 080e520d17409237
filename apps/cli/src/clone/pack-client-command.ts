import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../workspace/failure.js';
import { prepare } from '../workspace/prepare.js';
import { runProgram } from '../workspace/run-program.js';
import { ROOT, toolEnvironment } from '../workspace/workspace-config.js';

/** `pack-client`. */
export function packClientCommand(command: Command): Command {
  return command
    .option('--out <folder>', 'the folder of the file', '.')
    .addHelpText(
      'after',
      `
Makes forecourt-client-<version>.tgz, which npm install takes. Installs and builds what is needed first.`,
    )
    .action(packClient);
}

/**
 * Packs the client into a folder. Not npm's `prepack`, which runs before anything is installed in a new clone, and
 * not at all where scripts are ignored.
 */
export async function packClient(options: { readonly out: string }): Promise<void> {
  await prepare({ workspaces: ['./packages/client'] });
  const out = resolve(options.out);
  const pack = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', out];
  const { code, output } = await runProgram('npm', pack, {
    cwd: join(ROOT, 'packages', 'client'),
    env: toolEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (code !== 0) throw new Failure(`npm pack ended with ${code}:\n${output}`);
  process.stdout.write(`${join(out, output.trim())}\n`);
}
