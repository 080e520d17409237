import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { rememberAnswer } from './remember-answer.js';

/** Counts its readings, the first of which fail. */
function counting(failures = 0) {
  let calls = 0;
  return async (key: string) => {
    calls += 1;
    const reading = calls;
    await nextTurn();
    if (reading <= failures) throw new Error(`down at ${reading}`);
    return `${key} ${reading}`;
  };
}

describe('rememberAnswer', () => {
  it('shares an answer while it is read, for each key, and reads anew afterwards', async () => {
    const read = rememberAnswer(counting());
    const shared = await Promise.all([read('a'), read('b'), read('a'), read('b')]);
    expect(shared).toEqual(['a 1', 'b 2', 'a 1', 'b 2']);
    expect(await read('a')).toBe('a 3');
  });

  it('shares an answer for as long as it is fresh', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const read = rememberAnswer(counting(), 1_000);
    expect(await read('a')).toBe('a 1');
    now = 999;
    expect(await read('a')).toBe('a 1');
    now = 1_000;
    expect(await read('a')).toBe('a 2');
  });

  it.each([null, 1_000])(
    'tells a failure to those that wait for it, and to no later one (%s)',
    async (freshMs) => {
      const read = rememberAnswer(counting(1), freshMs);
      const [first, second] = await Promise.allSettled([read('a'), read('a')]);
      expect([first, second]).toEqual(
        Array(2).fill({ status: 'rejected', reason: new Error('down at 1') }),
      );
      expect(await read('a')).toBe('a 2');
    },
  );

  it('reads anew once an answer that does not come is no longer fresh', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    let calls = 0;
    const read = rememberAnswer(
      () => (++calls === 1 ? new Promise<number>(() => undefined) : Promise.resolve(calls)),
      250,
    );
    void read();
    now = 250;
    expect(await read()).toBe(2);
  });

  it('reads with the further arguments of the first that asks', async () => {
    const read = rememberAnswer(async (key: string, caller: string) => `${key} for ${caller}`);
    const shared = await Promise.all([read('a', 'first'), read('a', 'second')]);
    expect(shared).toEqual(['a for first', 'a for first']);
  });
});
