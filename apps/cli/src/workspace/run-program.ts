import { spawn, type SpawnOptions } from 'node:child_process';
import { constants } from 'node:os';
import { environment } from './workspace-config.js';

/** How often this process looks whether the shell of npm still runs it. */
const WATCH_MS = 500;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface ProgramResult {
  /** The exit code; 128 + n if signal n ended the program. */
  readonly code: number;
  /** The program's output, as far as `stdio` pipes it. */
  readonly output: string;
  /** Whether this process received a signal, which it passed on. */
  readonly interrupted: boolean;
}

/** Runs a program in the foreground. By default its output goes to standard error. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<ProgramResult> {
  const child = spawn(program, args, { stdio: ['ignore', 2, 2], ...options });
  let interrupted = false;
  const passOn = (signal: NodeJS.Signals) => {
    interrupted = true;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, passOn);
  const watch = watchShell(() => passOn('SIGTERM'));
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(127);
    });
    child.once('close', (exit, signal) => resolve(exit ?? 128 + constants.signals[signal!]));
  });
  clearInterval(watch);
  for (const signal of SIGNALS) process.off(signal, passOn);
  return { code, output, interrupted };
}

/**
 * npm passes a signal on to the shell that runs its script, which ends without passing it on to this process.
 */
export function watchShell(onGone: () => void): NodeJS.Timeout | undefined {
  if (environment['npm_lifecycle_event'] === undefined) return undefined;
  const shell = process.ppid;
  return setInterval(() => {
    if (process.ppid !== shell) onGone();
  }, WATCH_MS);
}
