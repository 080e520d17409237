import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the foreground. Resolves with its exit `code` (128 + n if signal n ended it), its `output` as far as
 * `stdio` pipes it, and whether it was `interrupted`: this process received a signal, and passed it on.
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
