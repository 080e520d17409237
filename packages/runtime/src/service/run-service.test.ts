import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../../dist/service/run-service.js', import.meta.url));

/** Runs a service whose start never ends, and this program in the same process. */
function run(program: string) {
  const script = `
    const { createServer } = await import('node:net');
    const { defineService, runService } = await import(${JSON.stringify(`file://${built}`)});
    const starting = () => new Promise(() => createServer().listen(0, '127.0.0.1'));
    runService(defineService('sample', () => ({ logLevel: 'info', buildCommit: '0' }), starting));
    setImmediate(() => setImmediate(() => { ${program} }));
  `;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { status, logged: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

it('logs a rejected promise that nothing awaits, and the service goes on', () => {
  const { status, logged } = run(`
    process.on('unhandledRejection', () => setImmediate(() => process.exit(7)));
    Promise.reject(new Error('forgotten'));
  `);
  expect(status).toBe(7);
  expect(logged).toMatchObject([
    { level: 'error', error: 'Error: forgotten', msg: expect.stringContaining('goes on') },
  ]);
});

it('logs any other unforeseen error in one line, and ends the process', () => {
  const { status, logged } = run(`throw new Error('broken');`);
  expect(status).toBe(1);
  expect(logged).toMatchObject([
    { level: 'error', error: 'Error: broken', msg: expect.stringContaining('ends') },
  ]);
});
