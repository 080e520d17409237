import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@forecourt/testing/system';
import type { Mutation } from './mutation.js';

const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const PATCHING = new URL('../../../src/chaos/patch-on-load.mjs', import.meta.url).href;

/**
 * The unit tests in a folder that cover a file; for a script, which no test imports, all tests of the folder.
 */
export async function findTests(folder: string, file: string): Promise<string[]> {
  const which = file.endsWith('.lua') ? [folder] : ['--findRelatedTests', join(ROOT, file)];
  const { output } = await runJest(['--listTests', ...which], {}, 60_000);
  const prefix = join(ROOT, folder);
  return output.split('\n').filter((line) => line.startsWith(prefix) && line.endsWith('.test.ts'));
}

/**
 * Whether these tests pass with a mutation; a timeout counts as a failure. Throws if the mutated file has
 * changed in the meantime.
 */
export async function pass(
  tests: readonly string[],
  mutation: Mutation | null,
  timeoutMs: number,
): Promise<boolean> {
  if (mutation && readFileSync(join(ROOT, mutation.file), 'utf8') !== mutation.text) {
    throw new Error(
      `${mutation.file} has changed since its mutants were made; run this command again`,
    );
  }
  const patch = mutation && {
    file: mutation.file,
    find: mutation.text,
    replace: mutation.mutated,
  };
  const env = patch && {
    NODE_OPTIONS: `--experimental-vm-modules --no-warnings --import=${PATCHING}`,
    FORECOURT_PATCHES: JSON.stringify([patch]),
  };
  const { code } = await runJest(
    ['--runTestsByPath', ...tests, '--bail', '--forceExit', '--testTimeout=60000'],
    env ?? {},
    timeoutMs,
  );
  return code === 0;
}

async function runJest(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeout: number,
): Promise<{ code: number | null; output: string }> {
  const flags = ['--experimental-vm-modules', '--no-warnings', JEST, '--selectProjects', 'unit'];
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  await once(child, 'close');
  return { code: child.exitCode, output };
}
