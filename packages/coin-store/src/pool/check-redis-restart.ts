import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * Notes which Redis server holds the pool. Answers for how long its coins are held back yet, in ms; 0 when they are not.
 * `mayForget`: a crash of the server may lose what it was told last. `wasThere`: the pool is known to have been opened.
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
