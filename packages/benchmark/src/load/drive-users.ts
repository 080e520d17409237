import { setTimeout as delay } from 'node:timers/promises';
import { Latencies, type LoadResult } from './latencies.js';
import type { Pace } from './load-task.js';

/** A user who repeats one action. */
export interface User {
  /** Performs the action once; resolves with the duration of its measured part, in ms. */
  act(): Promise<number>;
  leave(): void;
}

/** After this many failures the figures are meaningless. */
const MAX_FAILURES = 20;

/** Runs all users until the time is over. */
export async function driveUsers(users: readonly User[], pace: Pace): Promise<LoadResult> {
  const latencies = new Latencies();
  const begin = performance.now();
  const end = begin + pace.seconds * 1_000;
  let failures = 0;
  const interval = pace.perSecond === undefined ? 0 : (users.length * 1_000) / pace.perSecond;
  await Promise.all(
    users.map(async (user, index) => {
      let due = begin + (interval * index) / users.length;
      for (;;) {
        const early = due - performance.now();
        if (early > 1) await delay(early);
        if (performance.now() >= end || failures > MAX_FAILURES) return;
        due += interval;
        try {
          latencies.add(await user.act());
        } catch (error) {
          failures += 1;
          latencies.fail(String(error));
        }
      }
    }),
  );
  return latencies.result();
}
