import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HookClosed } from './hook-closed.js';
import { HookHealth } from './hook-health.js';

let health: HookHealth;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  health = new HookHealth();
});
afterEach(() => {
  jest.useRealTimers();
});

/** How a call for a caller ends: `called`, the failure, or why it was not made. */
async function call(caller: string, succeeds = true): Promise<string> {
  const answer = async () => {
    if (!succeeds) throw new Error('timed out');
    return 'called';
  };
  return health.run({ caller }, answer).catch((error: Error) => {
    if (!(error instanceof HookClosed)) return error.name;
    return error.isForAll ? 'closed to all' : 'closed to this caller';
  });
}
async function failing(caller: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) expect(await call(caller, false)).toBe('Error');
}
/** A call that lasts until it is ended. */
function begin(caller: string) {
  let end!: (error: Error | null) => void;
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  const result = health.run({ caller }, () => ended).catch(() => undefined);
  return { end, result };
}
const wait = (ms: number) => jest.advanceTimersByTime(ms);

describe('the calls of one caller that fail', () => {
  it('close a hook to that caller only, however many they are', async () => {
    await failing('slow', 10);
    wait(1);
    expect([await call('slow'), await call('victim')]).toEqual(['closed to all', 'called']);
    for (let round = 0; round < 20; round++) {
      wait(5_000);
      expect([await call('slow', false), await call('slow')]).toEqual([
        'Error',
        'closed to this caller',
      ]);
      expect(await call('victim')).toBe('called');
    }
    wait(5_000);
    expect([await call('slow'), await call('slow')]).toEqual(['called', 'called']);
  });

  it('are counted for each user of a token alone', async () => {
    const by = (user: string) => ({ caller: 'shop', user });
    const fail = () => Promise.reject(new Error('timed out'));
    for (let i = 0; i < 10; i++) await health.run(by('a'), fail).catch(() => undefined);
    expect(health.refusalOf(by('a'))).not.toBeNull();
    expect(health.refusalOf(by('b'))).toBeNull();
  });
});

describe('the calls of several callers that fail', () => {
  it('close a hook to all callers for five seconds, until any of them succeeds', async () => {
    for (const caller of ['a', 'b', 'c']) await failing(caller, 4 - Number(caller === 'c') * 2);
    expect([await call('a'), await call('d')]).toEqual(['closed to all', 'closed to all']);
    wait(5_000);
    // A failing probe closes it to the one who made it.
    expect(await call('a', false)).toBe('Error');
    expect([await call('a'), await call('d')]).toEqual(['closed to all', 'called']);
    expect(await call('a')).toBe('called');
  });

  it('leave it open if a call has succeeded meanwhile', async () => {
    const late = ['a', 'b', 'c'].flatMap((caller) =>
      Array.from({ length: 5 }, () => begin(caller)),
    );
    wait(1_000);
    expect(await call('victim')).toBe('called');
    wait(1_000);
    for (const one of late) one.end(new Error('timed out'));
    await Promise.all(late.map(({ result }) => result));
    expect(await call('victim')).toBe('called');
  });

  it('are tried again by three callers at once', async () => {
    for (const caller of ['a', 'b', 'c']) await failing(caller, 4 - Number(caller === 'c') * 2);
    wait(5_000);
    const probes = ['d', 'e', 'f'].map(begin);
    expect(await call('g')).toBe('closed to all');
    probes[0]!.end(null);
    await probes[0]!.result;
    expect(await call('g')).toBe('called');
    for (const probe of probes.slice(1)) probe.end(null);
    await Promise.all(probes.map(({ result }) => result));
  });
});
