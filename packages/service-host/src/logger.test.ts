import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../dist/logger.js', import.meta.url));
const program = `
  const { createLogger } = await import(${JSON.stringify(`file://${built}`)});
  createLogger('gateway', 'info').info(
    { headers: { authorization: 'Bearer s3cret' }, token: 's3cret', request: { userSig: 's3cret' }, digest: 'D' },
    'seen',
  );
`;

describe('a log line', () => {
  it('is JSON that names its service, and holds no token, key or signature', () => {
    const line = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect(JSON.parse(line)).toMatchObject({ service: 'gateway', level: 'info', digest: 'D' });
    expect(line).not.toContain('s3cret');
  });
});
