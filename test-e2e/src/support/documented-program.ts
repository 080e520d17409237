import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ROOT } from '@forecourt/testing/system';

/** Replaces the addresses of `npm start` in a program by those of this gateway and node. */
export function atAddresses(program: string, gatewayUrl: string, ledgerUrl: string): string {
  return program
    .replaceAll('http://127.0.0.1:9527', gatewayUrl)
    .replaceAll('ws://127.0.0.1:9527', gatewayUrl.replace('http', 'ws'))
    .replaceAll('http://127.0.0.1:9000', ledgerUrl);
}

/** Runs a JavaScript program of the documentation like a reader, with variables such as `TOKEN`. */
export function startProgram(
  text: string,
  variables: Readonly<Record<string, string>>,
  stderr: 'inherit' | 'pipe' = 'inherit',
): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '--eval', text], {
    cwd: ROOT,
    env: { ...process.env, ...variables, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', stderr],
  });
}

/** Returns the first line of a program's output that matches; throws if the program ends without one. */
export async function lineOf(output: Readable, pattern: RegExp): Promise<RegExpExecArray> {
  for await (const line of createInterface({ input: output })) {
    const match = pattern.exec(line);
    if (match) return match;
  }
  throw new Error(`the program printed no line that matches ${String(pattern)}`);
}
