import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { listSponsors, prepareCoinStore, vouchForNextServer } from '@forecourt/coin-store';
import { listMasters, openRedis, type RedisSettings } from '@forecourt/runtime/redis';
import type { Ledger } from '@forecourt/ledger';
import type { SystemOptions } from '@forecourt/testing/system';
import { checkRedis, readConfig, redisVariables } from '@forecourt/runtime/config';
import type { StartConfig } from './start-config.js';

/**
 * Removes a sponsor's pool from a Redis that outlives the devnet on which the pool was filled: its coins no
 * longer exist. Touches only keys tagged with the sponsor's address, and returns how many it has removed.
 */
export async function removePool(settings: RedisSettings, sponsor: string): Promise<number> {
  const redis = openRedis(settings);
  let removed = 0;
  try {
    for (const master of await listMasters(redis)) {
      for await (const keys of master.scanStream({ match: `*{${sponsor}}*`, count: 1_000 })) {
        if ((keys as string[]).length > 0) removed += await redis.unlink(keys as string[]);
      }
    }
    return removed;
  } finally {
    redis.disconnect();
  }
}

/** Only a pool that this command has filled itself may be removed. */
const KEYS_OF_ANOTHER_NETWORK =
  'SPONSOR_KEYS and REDIS_URL are set, but not LEDGER_URL. With the local ledger, the pool of this sponsor would be ' +
  'removed from that Redis, and it may be the pool of a real network. Set LEDGER_URL too, or unset SPONSOR_KEYS to have ' +
  'a key generated.';

/**
 * Chooses the Redis of a start, and removes the pool of an earlier local ledger from it: devnet begins a new
 * ledger every time. The data of any other network are kept, in a folder of that network. Throws `Error`
 * where that could remove them.
 */
export async function prepareRedis(
  config: StartConfig,
  sponsors: readonly string[],
  ledger: Pick<Ledger, 'chainIdentifier'> | undefined,
): Promise<NonNullable<SystemOptions['redis']>> {
  if (config.redisUrl !== undefined) {
    if (ledger === undefined) {
      if (config.sponsorKeys !== undefined) throw new Error(KEYS_OF_ANOTHER_NETWORK);
      const settings = readConfig(redisVariables, config.env, checkRedis);
      for (const sponsor of sponsors) await removePool(settings, sponsor);
    }
    return { url: config.redisUrl };
  }
  const network = (await ledger?.chainIdentifier()) ?? 'devnet';
  const dir = join(config.dataFolder, 'redis', network);
  if (ledger === undefined) rmSync(dir, { recursive: true, force: true });
  return { dir };
}

/**
 * Before our own Redis is stopped, and after everything that writes into it: the next start need not suspend
 * its pools. Where Redis does not answer, it does.
 */
export async function vouchForRedis(url: string): Promise<void> {
  const settings = readConfig(redisVariables, { REDIS_URL: url }, checkRedis);
  const redis = prepareCoinStore(openRedis(settings, { maxRetriesPerRequest: 1 }));
  try {
    for (const sponsor of (await listSponsors(redis)).values()) {
      await vouchForNextServer(redis, sponsor);
    }
  } catch {
    // A suspension is safe.
  } finally {
    redis.disconnect();
  }
}
