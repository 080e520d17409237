import type { Logger } from './logger.js';
import { partial } from '@forecourt/testing/jest';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OutageLog } from './outage-log.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function aCondition() {
  const logged: (readonly [level: string, fields: unknown, message: unknown])[] = [];
  const logAs = (level: string) => (fields: unknown, message?: unknown) =>
    void logged.push([level, fields, message]);
  const logger = partial<Logger>({ info: logAs('info'), warn: logAs('warn') });
  const messages = { begins: 'begins', goesOn: 'goes on', ends: 'ends' };
  return { logged, condition: new OutageLog(logger, messages) };
}

describe('OutageLog', () => {
  it('logs its beginning, a count every ten seconds, and its end', () => {
    const { logged, condition } = aCondition();
    for (let tenths = 0; tenths < 250; tenths++) {
      condition.report({ runId: 'a' });
      jest.advanceTimersByTime(100);
    }
    condition.end();
    condition.end();
    expect(logged).toEqual([
      ['warn', { runId: 'a' }, 'begins'],
      ['warn', { runId: 'a', times: 101, seconds: 10 }, 'goes on'],
      ['warn', { runId: 'a', times: 201, seconds: 20 }, 'goes on'],
      ['info', { times: 250, seconds: 25 }, 'ends'],
    ]);
  });

  it('starts again after its end', () => {
    const { logged, condition } = aCondition();
    for (let outage = 0; outage < 2; outage++) {
      condition.report({});
      condition.end();
    }
    expect(logged.map(([, , message]) => message)).toEqual(['begins', 'ends', 'begins', 'ends']);
  });

  it('does not log an end without a beginning', () => {
    const { logged, condition } = aCondition();
    condition.end();
    expect(logged).toEqual([]);
  });
});
