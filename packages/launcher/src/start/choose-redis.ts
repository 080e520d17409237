import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATA, type SystemOptions } from '@forecourt/testing/system';
import type { IotaClient } from '@iota/iota-sdk/client';
import { forgetPool } from './forget-pool.js';
import { checkRedis, readConfig, redisVariables } from '@forecourt/runtime/config';
import type { LauncherConfig } from './launcher-config.js';

/** A pool that is removed must be one that this command has filled itself. */
const KEYS_OF_ANOTHER_NETWORK =
  'SPONSOR_KEYS and REDIS_URL are set, but not LEDGER_URL. On the local ledger the pool of its sponsor would be ' +
  'removed from that Redis, and with these keys it may be the pool of a network that lasts. Set LEDGER_URL too, or ' +
  'leave SPONSOR_KEYS to be made.';

/**
 * The Redis of a start. Our own devnet begins a new ledger every time, so its pool begins anew too; for a network that
 * stays, the data stay, in a folder of that network.
 */
export async function chooseRedis(
  config: LauncherConfig,
  sponsors: readonly string[],
  ledger: IotaClient | undefined,
): Promise<SystemOptions['redis']> {
  if (config.redisUrl !== undefined) {
    if (ledger === undefined) {
      if (config.sponsorKeys !== undefined) throw new Error(KEYS_OF_ANOTHER_NETWORK);
      const settings = readConfig(redisVariables, config.env, checkRedis);
      for (const sponsor of sponsors) await forgetPool(settings, sponsor);
    }
    return { url: config.redisUrl };
  }
  const network = (await ledger?.getChainIdentifier()) ?? 'devnet';
  const dir = join(DATA, 'redis', network);
  if (ledger === undefined) rmSync(dir, { recursive: true, force: true });
  return { dir };
}
