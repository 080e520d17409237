import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the foreground and gives its exit code (128 + n when signal n ended it). Signals that this process
 * gets are passed on; the program's standard output goes to `stdout` (a file descriptor, `inherit` or `pipe`).
 */
export async function runProgram(program, args, { env = process.env, cwd, stdio, detached } = {}) {
  const child = spawn(program, args, { env, cwd, stdio: stdio ?? ['ignore', 2, 2], detached });
  let interrupted = false;
  const passOn = (signal) => {
    interrupted = true;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, passOn);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(127);
    });
    child.once('close', (exit, signal) => resolve(exit ?? 128 + constants.signals[signal]));
  });
  for (const signal of SIGNALS) process.off(signal, passOn);
  return { code, output, interrupted };
}
