import { spawn } from 'node:child_process';
import type { Row } from './row.js';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';

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
