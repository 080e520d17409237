import { spawn, type SpawnOptions } from 'node:child_process';
import { constants } from 'node:os';

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
  for (const signal of SIGNALS) process.off(signal, passOn);
  return { code, output, interrupted };
}
