import { type CoinStoreRedis, poolKey, runScript } from '../scripts/run-script.js';
import { PoolTooNew } from './pool-too-new.js';

/**
 * The format version of stored pools. A format is new when processes that do not know it would misread it; a
 * key or a field that they may leave out is not a new format. For a possible rollback, one release reads a
 * new format before the next one writes it.
 */
export const WRITTEN_VERSION = 1;

/** The newest version that this code reads. */
export const READABLE_VERSION = 1;

export type OpenedPool =
  { readonly opened: true } | { readonly opened: false; readonly belongsTo: string };

export interface OpenPoolOptions {
  readonly suspendMs?: number;
  readonly historyBacklog?: number | null;
}

/**
 * Opens a sponsor's pool for a network; a pool that was filled on another network is not opened. A new pool
 * is suspended for `suspendMs`; 0: it is not. `historyBacklog`: the most entries of its history, unless the
 * pool has a bound already; 0 or null: this process keeps no history. Throws `PoolTooNew` when this release
 * does not read its format.
 */
export async function openPool(
  redis: CoinStoreRedis,
  sponsor: string,
  chain: string,
  { suspendMs = 0, historyBacklog = null }: OpenPoolOptions = {},
): Promise<OpenedPool> {
  const args = [chain, WRITTEN_VERSION, READABLE_VERSION, suspendMs, historyBacklog || ''];
  const reply = await runScript(redis, 'open-pool', sponsor, ...args);
  const [belongsTo, stored] = reply as [string, number];
  if (belongsTo !== chain) return { opened: false, belongsTo };
  if (stored > READABLE_VERSION) throw new PoolTooNew(sponsor, stored, READABLE_VERSION);
  return { opened: true };
}

/** The format version of a stored pool; 1 for one without a version, and for a pool that does not exist. */
export async function readStoredVersion(redis: CoinStoreRedis, sponsor: string): Promise<number> {
  return Number((await redis.get(poolKey(sponsor, 'version'))) ?? 1);
}

/**
 * For processes that use a pool which others open. Throws `PoolTooNew` when this release does not read its
 * format.
 */
export async function requireReadablePool(redis: CoinStoreRedis, sponsor: string): Promise<void> {
  const stored = await readStoredVersion(redis, sponsor);
  if (stored > READABLE_VERSION) throw new PoolTooNew(sponsor, stored, READABLE_VERSION);
}

/** The chain identifier of the network of the sponsors' pools; null while none of them has a pool. */
export async function readNetwork(
  redis: CoinStoreRedis,
  sponsors: readonly string[],
): Promise<string | null> {
  for (const sponsor of sponsors) {
    const chain = await redis.get(poolKey(sponsor, 'chain'));
    if (chain !== null) return chain;
  }
  return null;
}
