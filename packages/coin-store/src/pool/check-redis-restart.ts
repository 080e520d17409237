import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * Records which Redis server holds the pool, and suspends the pool when that has restarted and may have lost writes.
 * `mayForget`: a crash of the server may lose its last writes. `wasThere`: the pool is known to have existed. `holdMs`:
 * length of a suspension. Returns how long the suspension still lasts, in ms; 0 when the pool is not suspended.
 */
export async function checkRedisRestart(
  redis: CoinStoreRedis,
  sponsor: string,
  server: { runId: string; mayForget: boolean; wasThere: boolean; holdMs: number },
): Promise<number> {
  const { runId, mayForget, wasThere, holdMs } = server;
  const flags = [mayForget ? 1 : 0, wasThere ? 1 : 0];
  return Number(await runOnPool(redis, 'check-redis-restart', sponsor, runId, ...flags, holdMs));
}
