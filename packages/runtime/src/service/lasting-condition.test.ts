import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LastingCondition } from './lasting-condition.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function aCondition() {
  const logged: (readonly [level: string, fields: object, message: string])[] = [];
  const at = (level: string) => (fields: object, message: string) =>
    void logged.push([level, fields, message]);
  const logger = { info: at('info'), warn: at('warn') } as never;
  const messages = { begins: 'begins', goesOn: 'goes on', ends: 'ends' };
  return { logged, condition: new LastingCondition(logger, messages) };
}

describe('a condition that lasts', () => {
  it('is logged when it begins, every ten seconds with a count, and when it ends', () => {
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

  it('begins anew after it has ended', () => {
    const { logged, condition } = aCondition();
    for (let outage = 0; outage < 2; outage++) {
      condition.report({});
      condition.end();
    }
    expect(logged.map(([, , message]) => message)).toEqual(['begins', 'ends', 'begins', 'ends']);
  });

  it('is not logged as ended when it never began', () => {
    const { logged, condition } = aCondition();
    condition.end();
    expect(logged).toEqual([]);
  });
});
