import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Row } from './row.js';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Runs a benchmark that is a separate program, by its path in the repository; it prints its rows as
 * JSON.
 */
export async function runProgram(path: string, ...args: readonly string[]): Promise<Row[]> {
  const child = spawn(process.execPath, [`${root}${path}`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${path} ended with ${code}`);
  return JSON.parse(Buffer.concat(output).toString()) as Row[];
}

/**
 * Runs a benchmark of another, built checkout. Ignores its exit code, which is 1 for a missed
 * target. Throws `Error` when it prints no rows.
 */
export async function measureCheckout(
  folder: string,
  name: string,
  args: readonly string[],
): Promise<Row[]> {
  const main = join(folder, 'test-e2e', 'benchmark', 'dist', `bench-${name}.js`);
  const child = spawn(process.execPath, ['--enable-source-maps', main, ...args, '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  try {
    return JSON.parse(output) as Row[];
  } catch (cause) {
    throw new Error(`${main} printed no rows; is ${folder} a built checkout?`, { cause });
  }
}
