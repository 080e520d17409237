import { freePort, ServiceProcess, waitUntil } from '@forecourt/testing/system';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keepRunning } from './keep-running.js';

const SERVER = `require('node:http').createServer((_, response) => response.end()).listen(process.env.PORT, '127.0.0.1')`;

let files: TemporaryFolder;
let stop: AbortController;
let said: string[];
let service: ServiceProcess;
beforeEach(() => {
  files = new TemporaryFolder();
  stop = new AbortController();
  said = [];
});
afterEach(async () => {
  stop.abort();
  await service.stop();
  files.remove();
});

/** Launches a program as a service, and returns the end of its keeping. */
async function keep(program: string): Promise<{ readonly ended: Promise<void> }> {
  const port = await freePort();
  service = new ServiceProcess({
    app: 'executor',
    name: 'executor-2',
    command: [process.execPath, '-e', program],
    env: { PORT: String(port) },
    url: `http://127.0.0.1:${port}`,
    logFile: files.pathOf('log'),
  });
  service.launch();
  const say = (text: string) => void said.push(text);
  return { ended: keepRunning(service, { say, stop: stop.signal, firstPauseMs: 10 }) };
}

describe('a service of npm start', () => {
  it('starts again when it is killed, as often as it is', async () => {
    await keep(SERVER);
    for (let kills = 1; kills <= 2; kills++) {
      await service.ready();
      const { pid } = service;
      service.kill();
      await waitUntil(async () => service.pid !== pid && said.length === 2 * kills);
    }
    expect(said[0]).toMatch(/^executor-2 has ended unexpectedly, starts again in 0.01 s; its log/);
    expect(said[1]).toBe('executor-2 runs again');
  });

  it('that ends at once is started again after growing pauses', async () => {
    await keep('process.exit(3)');
    await waitUntil(async () => said.length >= 4);
    const pauses = said.map((text) => Number(/in ([\d.]+) s/.exec(text)?.[1]) * 1_000);
    expect(pauses.slice(0, 4)).toEqual([10, 20, 40, 80]);
  });

  it('is left alone once everything stops', async () => {
    const { ended } = await keep(SERVER);
    stop.abort();
    await service.stop();
    await ended;
    expect([service.running, said]).toEqual([false, []]);
  });
});
