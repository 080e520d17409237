import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Row } from './row.js';

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
