import { createServer } from 'node:net';
import { Failure } from './progress.mjs';

/** The listeners of npm start: variable, default port, and the variable that makes the listener unnecessary. */
const LISTENERS = [
  ['GATEWAY_PORT', 9527],
  ['GATEWAY_COMPATIBILITY_PORT', 9528],
  ['GATEWAY_METRICS_PORT', 9184],
  ['COIN_POOL_PORT', 9531],
  ['COIN_POOL_HEALTH_PORT', 9532],
  ['EXECUTOR_HEALTH_PORT', 9541],
  ['EVENTS_PORT', 9551],
  ['DEVNET_RPC_PORT', 9000, 'LEDGER_URL'],
  ['DEVNET_FAUCET_PORT', 9123, 'LEDGER_URL'],
  ['FORECOURT_REDIS_PORT', 9379, 'REDIS_URL'],
];

/** Throws `Failure` naming every port that is in use, before anything is installed or built. */
export async function requireFreePorts(env, listeners = LISTENERS) {
  const taken = [];
  for (const [variable, byDefault, instead] of listeners) {
    if (instead !== undefined && env[instead]) continue;
    const port = Number(env[variable] ?? byDefault);
    if (!(await isFree(port))) taken.push(`port ${port} (${variable})`);
  }
  if (taken.length === 0) return;
  throw new Failure(
    `already in use: ${taken.join(', ')}. End the process that listens there, or choose another port, such as ${taken[0].match(/\((.*)\)/)[1]}=<port>`,
  );
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
