import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { readCrashPoints } from './crash-points-config.js';

const SOURCES = new URL('./crash-points.ts', import.meta.url).href;

/** How a process ends that arms a point for the n-th time and passes it `times` times. */
function passing(times: number, nth: number) {
  const program = `
    const { armCrashPoints, passCrashPoint } = await import(${JSON.stringify(SOURCES)});
    armCrashPoints(new Map([['executor:after-sign', ${nth}]]));
    passCrashPoint('executor:after-begin');
    for (let i = 0; i < ${times}; i++) { passCrashPoint('executor:after-sign'); console.log(i); }
  `;
  const { signal, status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--no-warnings', '--eval', program],
    { env: {}, encoding: 'utf8' },
  );
  return { signal, status, passed: stdout.split('\n').filter(Boolean).length, stderr };
}

describe('a crash point', () => {
  it('kills the process the n-th time it is passed, before anything else runs', () => {
    expect(passing(5, 3)).toEqual({
      signal: 'SIGKILL',
      status: null,
      passed: 2,
      stderr: 'crash point executor:after-sign\n',
    });
  });

  it('does nothing before that', () => {
    expect(passing(2, 3)).toEqual({ signal: null, status: 0, passed: 2, stderr: '' });
  });
});

describe('FORECOURT_CRASH_POINTS', () => {
  it('names points and counts', () => {
    const points = readCrashPoints({
      FORECOURT_CRASH_POINTS: 'executor:after-sign=3,gateway:after-claim=1',
    });
    expect([...points]).toEqual([
      ['executor:after-sign', 3],
      ['gateway:after-claim', 1],
    ]);
    expect(readCrashPoints({}).size).toBe(0);
  });

  it.each([
    ['executor:after-lunch=1', /executor:after-lunch is none/],
    ['executor:after-sign', /give each point a count/],
    ['executor:after-sign=0', /give each point a count/],
  ])('%s is refused', (text, words) => {
    expect(() => readCrashPoints({ FORECOURT_CRASH_POINTS: text })).toThrow(words);
  });

  it('is refused in production', () => {
    const environment = { FORECOURT_CRASH_POINTS: 'executor:after-sign=1', NODE_ENV: 'production' };
    expect(() => readCrashPoints(environment)).toThrow(/refused where NODE_ENV is production/);
    expect(readCrashPoints({ NODE_ENV: 'production' }).size).toBe(0);
  });
});
