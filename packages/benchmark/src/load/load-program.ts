import { driveUsers, type User } from './drive-users.js';
import type { LoadReply, LoadTask } from './load-task.js';
import { reserveOnly } from './reserve-only.js';
import { sponsorTransaction } from './sponsor-transaction.js';
import { submitDirectly } from './submit-directly.js';

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
