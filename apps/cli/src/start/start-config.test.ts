import { TemporaryFolder } from '@forecourt/testing/jest';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readStartConfig } from './start-config.js';

const folder = new TemporaryFolder();
afterAll(() => folder.remove());
const read = (env: NodeJS.ProcessEnv) =>
  readStartConfig([], { FORECOURT_DATA: folder.path, ...env });

describe('the addresses for npm start', () => {
  it.each([
    ['REDIS_URL', 'redis:://127.0.0.1'],
    ['REDIS_URL', 'rediss://'],
    ['DATABASE_URL', 'postgres:://x'],
    ['LEDGER_URL', 'grpc:://node:50051'],
    ['FAUCET_URL', 'http://faucet:0'],
  ])('cannot be %s=%s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(new RegExp(`- ${name} must`));
  });

  it('may be those of other machines', () => {
    const env = { REDIS_URL: 'rediss://a:1,rediss://b:1', LEDGER_URL: 'grpcs://c' };
    expect(read(env)).toMatchObject({ redisUrl: env.REDIS_URL, ledgerUrl: env.LEDGER_URL });
  });
});
