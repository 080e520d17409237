import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type App, appProgram } from './paths.js';

export interface Finished {
  readonly exitCode: number | null;
  /** Standard output and standard error, unmodified. */
  readonly output: string;
  readonly stdout: string;
}

/** Runs a program of an app until it ends; after `timeoutMs` it is killed (exit code null). */
export async function runApp(
  app: App | 'cli',
  env: NodeJS.ProcessEnv,
  { entry = 'main.js', args = [] as readonly string[], timeoutMs = 60_000 } = {},
): Promise<Finished> {
  const child = spawn(process.execPath, ['--enable-source-maps', appProgram(app, entry), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  let [output, stdout] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk);
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)));
  await once(child, 'close');
  return { exitCode: child.exitCode, output, stdout };
}
