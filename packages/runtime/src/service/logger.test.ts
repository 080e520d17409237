import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const built = (module: string) =>
  JSON.stringify(new URL(`../../dist/service/${module}.js`, import.meta.url));
const printed = (logging: string) => {
  const program = `
    const { createLogger } = await import(${built('logger')});
    const { logConsole } = await import(${built('log-console')});
    const logger = createLogger('gateway', 'info');
    ${logging}
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

describe('createLogger', () => {
  it('writes JSON that names the service and holds no token, key or signature', () => {
    const [line] = printed(`logger.info(
      { headers: { authorization: 'Bearer s3cret' }, token: 's3cret', request: { userSig: 's3cret' }, digest: 'D' },
      'seen',
    )`);
    expect(line).toMatchObject({ service: 'gateway', level: 'info', digest: 'D' });
    expect(JSON.stringify(line)).not.toContain('s3cret');
  });

  it('leaves what it hides in the logged objects, and hides it in empty form too', () => {
    const [line, later] = printed(`
      const request = { token: 's3cret', digest: 'D', parts: ['https://node/'] };
      const fields = { request, key: null, url: 'https://user:s3cret@node' };
      logger.info(fields, 'seen');
      logger.info({ kept: [fields.url, fields.key, request.token].map(String).join(' ').length }, 'm');
    `);
    const request = { token: '[redacted]', digest: 'D', parts: ['https://node/'] };
    expect(line).toMatchObject({ request, key: '[redacted]' });
    expect(later).toMatchObject({ kept: 'https://user:s3cret@node null s3cret'.length });
  });

  it('hides the secrets of addresses, also in the texts of errors', () => {
    const [line] = printed(`
      const error = 'connect to https://user:s3cret@node/x failed';
      logger.info({ url: 'redis://:s3/cret@redis', error, node: 'https://n/?key=s3cret', tries: 2 }, 'm');
    `);
    expect(line).toMatchObject({ error: 'connect to https://***@node/x failed', tries: 2 });
    expect(line).toMatchObject({ url: 'redis://***', node: 'https://n/?***' });
    expect(JSON.stringify(line)).not.toContain('cret');
  });

  it('writes all lines when the process ends in the same turn', () => {
    const lines = printed(`
      for (let line = 0; line < 1_000; line++) logger.info({ line }, 'one of many');
      process.exit(0);
    `);
    expect(lines.map(({ line }) => line)).toEqual([...Array(1_000).keys()]);
  });

  it('writes what libraries print as JSON, whichever function they call', () => {
    const lines = printed(`
      logConsole(logger);
      console.warn('IMPORTANT! Eviction policy is %s.', 'allkeys-lru');
      console.error(new Error('an error'));
      console.log({ tries: 2 });
      console.debug('unseen');
    `);
    const texts = [
      'IMPORTANT! Eviction policy is allkeys-lru.',
      /^Error: an error/,
      '{ tries: 2 }',
    ];
    expect(lines).toMatchObject(
      ['warn', 'error', 'info'].map((level, index) => ({
        level,
        service: 'gateway',
        printed: expect.stringMatching(texts[index]!),
      })),
    );
  });

  it('writes a warning at once, with the lines before it', () => {
    const lines = printed(`
      logger.info('before');
      logger.warn('careful');
      process.kill(process.pid, 'SIGKILL');
    `);
    expect(lines).toMatchObject([{ msg: 'before' }, { msg: 'careful' }]);
  });

  it.each(['goes on', 'ends'])(
    'loses lines and nothing else on a full disk: the process %s',
    (what) => {
      const program = `
        const { createLogger } = await import(${built('logger')});
        const logger = createLogger('gateway', 'info');
        logger.error('lost');
        logger.info('lost too');
        setTimeout(() => {
          process.stderr.write('serving');
          if (${JSON.stringify(what)} === 'ends') process.exit(3);
        }, 50);
      `;
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--input-type=module', '-e', program],
        {
          encoding: 'utf8',
          stdio: ['ignore', full, 'pipe'],
          timeout: 60_000,
        },
      );
      closeSync(full);
      expect([status, stderr]).toEqual([what === 'ends' ? 3 : 0, 'serving']);
    },
  );
});
