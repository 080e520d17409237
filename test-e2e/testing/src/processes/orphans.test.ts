import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '../wait-until.js';
import { ROOT } from './paths.js';

const BUILT = `${ROOT}/test-e2e/testing/dist`;

/** Runs a program until it has written a line of JSON, kills it, and resolves with what it wrote. */
async function killAfterItsLine(program: string): Promise<unknown> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    child.kill('SIGKILL');
    return JSON.parse(line);
  }
  throw new Error('the program wrote no line');
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const untilEnded = (pid: number) =>
  waitUntil(async () => !isRunning(pid), { what: `the end of ${pid}`, timeoutMs: 20_000 });

describe('a process that is killed', () => {
  it('takes the services with it that it has started', async () => {
    const pid = (await killAfterItsLine(`
      import { spawn } from 'node:child_process';
      import { Watchdog } from '${BUILT}/processes/watchdog.js';
      const service = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true });
      new Watchdog().watch(service);
      console.log(service.pid);
    `)) as number;
    await untilEnded(pid);
  });

  it('takes the PostgreSQL of its tests with it, and removes its folder', async () => {
    const { pid, folder } = (await killAfterItsLine(`
      import { startTestPostgres } from '${BUILT}/postgres/start-test-postgres.js';
      import { endWithThisProcess } from '${BUILT}/postgres/shared-test-server.js';
      const { server, folder } = await startTestPostgres();
      endWithThisProcess(server.pid, folder);
      console.log(JSON.stringify({ pid: server.pid, folder }));
    `)) as { pid: number; folder: string };
    await untilEnded(pid);
    await waitUntil(async () => !existsSync(folder), { what: `removal of ${folder}` });
    expect(isRunning(pid)).toBe(false);
  });
});
