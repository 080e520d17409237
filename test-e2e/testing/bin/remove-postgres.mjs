/**
 * Ends a PostgreSQL server and removes its folder once the process that started it has ended: when the input
 * of this program ends. Arguments: the server's process id, the folder.
 */
import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const [pid, folder] = [Number(process.argv[2]), process.argv[3]];
const GRACE_MS = 5_000;

const send = (signal) => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
await text(process.stdin);
// An immediate shutdown: nothing has to be kept.
send('SIGQUIT');
const deadline = Date.now() + GRACE_MS;
while (Date.now() < deadline && send(0)) await delay(20);
send('SIGKILL');
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
