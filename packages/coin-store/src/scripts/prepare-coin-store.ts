import type { Cluster, Redis } from 'ioredis';
import { escapeText } from './escape-text.js';
import { loadScript } from './load-script.js';

/** Every script; each has one typed caller. */
const scripts = [
  'abort-maintenance',
  'adopt-coins',
  'begin-execution',
  'begin-maintenance',
  'begin-withdrawal',
  'bind-maintenance',
  'check-redis-restart',
  'claim-reservation',
  'drain-sponsor',
  'end-suspension',
  'end-withdrawal',
  'exclude-execution',
  'expire-reservations',
  'find-digest',
  'find-reservation',
  'finish-maintenance',
  'finish-withdrawal',
  'forgo-claim',
  'inspect-pool',
  'list-in-flight',
  'list-locked',
  'list-maintenance',
  'list-quarantines',
  'lock-input',
  'note-spending',
  'note-unknown',
  'open-pool',
  'order-withdrawal',
  'quarantine-execution',
  'read-drain',
  'read-network',
  'read-pool-figures',
  'read-pool-totals',
  'read-stored-version',
  'read-suspension',
  'read-usages',
  'rebuild-pool',
  'refuse-execution',
  'register-sponsor',
  'release-claim',
  'release-lead',
  'release-reservation',
  'renew-coin',
  'reserve-gas',
  'settle-execution',
  'snapshot-pool',
  'suspend-pool',
  'take-lead',
  'take-unlocked',
  'trace-reservation',
  'undrain-sponsor',
  'unlock-input',
] as const;
type ScriptName = (typeof scripts)[number];

type RunScript = (key: string, ...args: (string | number)[]) => Promise<unknown>;

/** A Redis connection that knows the coin store's scripts. */
export type CoinStoreRedis = (Redis | Cluster) & Record<`coinStore:${ScriptName}`, RunScript>;

/** Defines the scripts on a connection; ioredis sends each text once and its hash from then on. */
export function prepareCoinStore(redis: Redis | Cluster): CoinStoreRedis {
  for (const name of scripts) {
    redis.defineCommand(`coinStore:${name}`, { numberOfKeys: 1, lua: loadScript(name) });
  }
  return redis as CoinStoreRedis;
}

/**
 * Runs one script on one sponsor's pool. The prefix is the only key that is passed: its hash tag names the slot, and
 * `lua/includes/key.lua` builds every key from it. Rejects with ioredis's error when Redis does not answer, and so does
 * every caller.
 */
export function runOnPool(
  redis: CoinStoreRedis,
  name: ScriptName,
  sponsor: string,
  ...args: (string | number)[]
): Promise<unknown> {
  return redis[`coinStore:${name}`](`fc:{${sponsor}}:`, ...args);
}

/** Runs one script on the lock of one input, `objectId:version`. */
export function runOnInput(
  redis: CoinStoreRedis,
  name: 'lock-input' | 'unlock-input',
  input: string,
  ...args: (string | number)[]
): Promise<unknown> {
  return redis[`coinStore:${name}`](`fc:{${escapeText(input)}}:`, ...args);
}
