/**
 * Ends the processes that a killed command leaves behind. It reads `+pid` and `-pid` lines; when
 * its input ends, the listed processes get SIGTERM, last started first, and SIGKILL after a delay.
 */
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const GRACE_MS = 5_000;
const pids = [];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) pids.unshift(pid);
  else pids.splice(pids.indexOf(pid), 1);
}

const send = (pid, signal) => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
};
const living = pids.filter((pid) => send(pid, 'SIGTERM'));
const deadline = Date.now() + GRACE_MS;
while (Date.now() < deadline && living.some((pid) => send(pid, 0))) await delay(50);
for (const pid of living) send(pid, 'SIGKILL');
