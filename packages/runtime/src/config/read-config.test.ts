import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeVariables, readConfig } from './read-config.js';
import { ConfigError } from './config-error.js';
import { variable } from './variable.js';

const description = 'What it is for';
const table = {
  waitMs: variable.integer('WAIT_MS', { default: 50, min: 1, max: 100, unit: 'ms', description }),
  calls: variable.derivedInteger('CALLS', { max: 9, write: '2 for each node', description }),
  balance: variable.bigint('BALANCE', { default: 7n, min: 1n, description }),
  level: variable.choice('LEVEL', { values: ['low', 'high'], default: 'low', description }),
  open: variable.boolean('OPEN', { default: false, description }),
  url: variable.url('URL', { default: 'http://a', protocols: ['http:'], description }),
  peers: variable.endpoints('PEERS', { default: '127.0.0.1:1', description }),
  tokens: variable.secretList('TOKENS', { description }),
  store: variable.url('STORE', {
    default: 'redis://a',
    protocols: ['redis:'],
    secret: true,
    description,
  }),
  note: variable.optionalText('NOTE', { description }),
};

const problemsOf = (environment: Record<string, string>): string => {
  try {
    readConfig(table, environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return '';
};

describe('readConfig', () => {
  it('returns defaults and typed values, read-only', () => {
    const config = readConfig(table, {
      TOKENS: 'a, b',
      BALANCE: '18446744073709551615',
      PEERS: 'x:1,[::1]:2',
    });
    expect(config).toEqual({
      waitMs: 50,
      calls: null,
      balance: 2n ** 64n - 1n,
      level: 'low',
      open: false,
      url: 'http://a',
      tokens: ['a', 'b'],
      store: 'redis://a',
      note: null,
      peers: [
        { host: 'x', port: 1 },
        { host: '::1', port: 2 },
      ],
    });
    expect(() => Object.assign(config, { waitMs: 1 })).toThrow(TypeError);
  });

  it.each([
    ['WAIT_MS', '0'],
    ['WAIT_MS', '1.5'],
    ['WAIT_MS', 'ten'],
    ['BALANCE', '-1'],
    ['LEVEL', 'middle'],
    ['OPEN', 'yes'],
    ['URL', 'ftp://a'],
    ['PEERS', 'nowhere'],
    ['PEERS', 'a:99999'],
  ])('refuses %s=%s and names the variable', (name, value) => {
    expect(problemsOf({ TOKENS: 'a', [name]: value })).toMatch(new RegExp(`- ${name} .*must be`));
  });

  it('reports all problems at once', () => {
    const problems = problemsOf({ WAIT_MS: 'x', LEVEL: 'x' });
    for (const name of ['WAIT_MS', 'LEVEL', 'TOKENS']) expect(problems).toContain(name);
  });

  it('checks values together', () => {
    const check = () => ['WAIT_MS must be shorter than LEVEL is high'];
    expect(() => readConfig(table, { TOKENS: 'a' }, check)).toThrow('shorter than');
  });

  it('reads secrets from files, and refuses a secret from two places', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'tokens');
    writeFileSync(file, 'one\ntwo\n');
    expect(readConfig(table, { TOKENS_FILE: file }).tokens).toEqual(['one', 'two']);
    expect(problemsOf({ TOKENS_FILE: file, TOKENS: 'three' })).toContain('both set');
    expect(problemsOf({ TOKENS_FILE: `${file}-missing` })).toContain('TOKENS_FILE');
  });

  it('reads a URL with a password from a file, and shows no password in an error', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'url');
    writeFileSync(file, 'redis://:s3cret@b:6379\n');
    expect(readConfig(table, { TOKENS: 'a', STORE_FILE: file }).store).toBe(
      'redis://:s3cret@b:6379',
    );
    const problems = problemsOf({ TOKENS: 'a', STORE: 'http://:s3cret@b' });
    expect(problems).toContain('- STORE must be');
    expect(problems).not.toContain('s3cret');
  });

  it('reads a derived integer as strictly as any other', () => {
    expect(readConfig(table, { TOKENS: 'a', CALLS: '9' }).calls).toBe(9);
    for (const text of ['1e0', '0x1', '0', '10', '1.5']) {
      expect(problemsOf({ TOKENS: 'a', CALLS: text })).toContain(
        'CALLS must be an integer from 1 to 9',
      );
    }
  });

  it('describes each variable', () => {
    const rows = describeVariables(table);
    expect(rows[0]).toEqual({
      name: 'WAIT_MS',
      kind: 'integer, 1 to 100 (ms)',
      default: '50',
      description,
      secret: false,
    });
    expect(rows.find(({ name }) => name === 'TOKENS, TOKENS_FILE')?.default).toBe('required');
    expect(rows.find(({ name }) => name === 'CALLS')?.default).toBe('2 for each node');
    expect(rows.find(({ name }) => name === 'PEERS')?.default).toBe('127.0.0.1:1');
  });
});
