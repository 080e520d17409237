import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment, freePort } from '@forecourt/testing/system';

const PROGRAM = fileURLToPath(new URL('../load/bare-fastify.js', import.meta.url));

/** The reference of `reserve_gas` as a process; it answers everybody the same JSON. */
export async function startBareFastify(
  answer: string,
): Promise<{ readonly url: string; stop(): void }> {
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM, String(port), answer], {
    env: inheritedEnvironment(),
    stdio: 'inherit',
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) await delay(20);
  return { url, stop: () => void child.kill() };
}
