import { expect, it } from '@jest/globals';
import { ServiceProcess } from './service-process.js';

it('runs a service whose log is on a full disk to its end', async () => {
  const program = `
    process.stderr.on('error', () => undefined);
    process.stderr.write('x'.repeat(1_000_000));
    setTimeout(() => process.exit(5), 50);
  `;
  const service = new ServiceProcess({
    app: 'devnet',
    command: [process.execPath, '-e', program],
    env: {},
    logFile: '/dev/full',
    url: 'http://127.0.0.1:1',
  });
  service.launch();
  expect(await service.exited()).toBe(5);
});
