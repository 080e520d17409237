import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, inheritedEnvironment } from '@forecourt/testing/system';

export interface StartedProgram {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

/** Starts a server of this package as a process, with its port and `args` as arguments. */
export async function startProgram(
  program: URL,
  ...args: readonly string[]
): Promise<StartedProgram> {
  const port = await freePort();
  const child = spawn(process.execPath, [fileURLToPath(program), String(port), ...args], {
    env: inheritedEnvironment(),
    stdio: 'inherit',
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) await delay(20);
  return { url, pid: child.pid!, stop: () => void child.kill() };
}
