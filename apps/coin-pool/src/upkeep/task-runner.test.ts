import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import { TaskRunner } from './task-runner.js';
import type { Look, UpkeepTask } from './upkeep-task.js';
import { MaintenanceFailed } from './maintenance-failed.js';

const due = { overdueClaims: 1 } as Look;
const EVERY_MS = 1_000;

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

function aTask(run: UpkeepTask['run']) {
  const error = jest.fn();
  const guard = { check: async () => undefined };
  const isDue = ({ overdueClaims }: Look) => overdueClaims > 0;
  const task = new TaskRunner(
    { name: 'sweep', everyMs: EVERY_MS, isDue, run },
    partial(guard),
    partial({ error }),
  );
  /** Makes a look this much later, and awaits the run that it starts. */
  const lookAfter = async (ms: number, found = due) => {
    jest.advanceTimersByTime(ms);
    task.begin(found);
    await task.untilEnded();
  };
  return { task, lookAfter, error };
}

describe('a task of the upkeep', () => {
  it('runs only when there is something to do', async () => {
    const run = jest.fn<UpkeepTask['run']>(async () => undefined);
    const { lookAfter } = aTask(run);
    await lookAfter(0, { overdueClaims: 0 } as Look);
    expect(run).not.toHaveBeenCalled();
    await lookAfter(0);
    expect(run).toHaveBeenCalledWith(due);
  });

  it('runs at every look that its interval allows, and not more often', async () => {
    const run = jest.fn<UpkeepTask['run']>(async () => undefined);
    const { lookAfter } = aTask(run);
    await lookAfter(0);
    await lookAfter(EVERY_MS / 4);
    expect(run).toHaveBeenCalledTimes(1);
    await lookAfter((EVERY_MS * 3) / 4);
    await lookAfter(EVERY_MS - 20);
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('runs once at a time, however long a run takes', async () => {
    const first = Promise.withResolvers<void>();
    const run = jest.fn(() => first.promise);
    const { task, lookAfter } = aTask(run);
    task.begin(due);
    jest.advanceTimersByTime(10 * EVERY_MS);
    task.begin(due);
    expect(run).toHaveBeenCalledTimes(1);
    first.resolve();
    await task.untilEnded();
    await lookAfter(0);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('is repeated at the next look after a failure, which is reported once until it succeeds', async () => {
    const run = jest.fn<UpkeepTask['run']>(async () => undefined);
    run.mockRejectedValueOnce(new Error('one')).mockRejectedValueOnce(new Error('two'));
    const { lookAfter, error } = aTask(run);
    for (let look = 0; look < 3; look += 1) await lookAfter(EVERY_MS);
    expect(run).toHaveBeenCalledTimes(3);
    expect(error).toHaveBeenCalledTimes(1);
    run.mockRejectedValueOnce(new Error('three'));
    await lookAfter(EVERY_MS);
    expect(error).toHaveBeenCalledTimes(2);
  });

  it('pauses longer after each failure that cost gas, up to a minute', async () => {
    const run = jest.fn(async () => Promise.reject(new MaintenanceFailed('no')));
    const { lookAfter } = aTask(run);
    const pauses: number[] = [];
    await lookAfter(0);
    for (let failure = 1; failure <= 7; failure += 1) {
      const before = performance.now();
      while (run.mock.calls.length === failure) await lookAfter(EVERY_MS);
      pauses.push((performance.now() - before) / 1_000);
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60]);
  });
});
