import type { LoadReply, LoadResult, LoadTask, User, Pace } from './load-task.js';
import { Latencies } from './latencies.js';
import { reserveOnly, sponsorTransaction, submitDirectly } from './users.js';
import { setTimeout as delay } from 'node:timers/promises';

/** The program that plays the users, in a process separate from the services. */

function makeUser(task: LoadTask): Promise<User> {
  switch (task.kind) {
    case 'reserve':
      return reserveOnly(task.gateway, task.gasBudget);
    case 'sponsor':
      return sponsorTransaction(task.gateway, task.sponsor);
    case 'direct':
      return submitDirectly(task.ledgerUrl, task.controlUrl);
  }
}

async function run(task: LoadTask): Promise<LoadReply> {
  try {
    const users = await Promise.all(Array.from({ length: task.users }, () => makeUser(task)));
    const result = await driveUsers(users, task);
    for (const user of users) user.leave();
    return { result };
  } catch (error) {
    return { error: String(error) };
  }
}

process.on('message', (task: LoadTask) => void run(task).then((reply) => process.send!(reply)));

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
