import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { readFailpoints } from './failpoints-config.js';

const SOURCES = new URL('./pass-failpoint.ts', import.meta.url).href;

/** The end of a process that arms a failpoint for its n-th passage and passes it `times` times. */
function passing(times: number, nth: number) {
  const program = `
    const { armFailpoints, passFailpoint } = await import(${JSON.stringify(SOURCES)});
    armFailpoints(new Map([['executor:after-sign', ${nth}]]));
    passFailpoint('executor:after-begin');
    for (let i = 0; i < ${times}; i++) { passFailpoint('executor:after-sign'); console.log(i); }
  `;
  const { signal, status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--no-warnings', '--eval', program],
    { env: {}, encoding: 'utf8' },
  );
  return { signal, status, passed: stdout.split('\n').filter(Boolean).length, stderr };
}

describe('a failpoint', () => {
  it('kills the process at the n-th passage, before any other code runs', () => {
    expect(passing(5, 3)).toEqual({
      signal: 'SIGKILL',
      status: null,
      passed: 2,
      stderr: 'failpoint executor:after-sign\n',
    });
  });

  it('does nothing before the n-th passage', () => {
    expect(passing(2, 3)).toEqual({ signal: null, status: 0, passed: 2, stderr: '' });
  });
});

describe('FORECOURT_FAILPOINTS', () => {
  it('names points and counts', () => {
    const points = readFailpoints({
      FORECOURT_FAILPOINTS: 'executor:after-sign=3,gateway:after-claim=1',
    });
    expect([...points]).toEqual([
      ['executor:after-sign', 3],
      ['gateway:after-claim', 1],
    ]);
    expect(readFailpoints({}).size).toBe(0);
  });

  it('is refused in production', () => {
    const environment = { FORECOURT_FAILPOINTS: 'executor:after-sign=3', NODE_ENV: 'production' };
    expect(() => readFailpoints(environment)).toThrow(/refused where NODE_ENV is production/);
  });

  it.each([
    ['executor:after-lunch=1', /executor:after-lunch is not one/],
    ['executor:after-sign', /give each failpoint a count/],
    ['executor:after-sign=0', /give each failpoint a count/],
  ])('refuses %s', (text, words) => {
    expect(() => readFailpoints({ FORECOURT_FAILPOINTS: text })).toThrow(words);
  });

  it('is refused in production', () => {
    const environment = { FORECOURT_FAILPOINTS: 'executor:after-sign=1', NODE_ENV: 'production' };
    expect(() => readFailpoints(environment)).toThrow(/refused where NODE_ENV is production/);
    expect(readFailpoints({ NODE_ENV: 'production' }).size).toBe(0);
  });
});
