import { type CoinStoreRedis, poolKey, runScript } from '../scripts/run-script.js';

/** A coin-pool's memory for the check whether Redis is behind. */
export interface RestartCheck {
  /** Of the Redis servers that hold the pool. */
  readonly runId: string;
  /** Whether a crash of the server may lose its last writes. */
  readonly mayForget: boolean;
  /** The replication that the server was promoted from; '' or absent: it was not, or no longer knows. */
  readonly promotedFrom?: string;
  /** Duration of a suspension. */
  readonly holdMs: number;
  /** Names the calling process. */
  readonly witness: string;
  /** The highest watermark that it has seen; null before the first. */
  readonly watermark: number | null;
  /** The other witnesses that it knows of. */
  readonly others: readonly string[];
  /** The latest loss that it has seen; '0' or absent: none. */
  readonly loss?: string;
}

/** Redis's answer. */
export interface RestartCheckResult {
  /** Time in ms until it may be over; 0 when the pool is not suspended. */
  readonly suspendedMs: number;
  readonly watermark: number;
  readonly others: readonly string[];
  /**
   * The latest suspension or change of server, after which Redis may have lost transactions; '0': there was
   * none.
   */
  readonly loss: string;
}

/**
 * Compares a coin-pool's memory with Redis, and suspends the pool while Redis may be behind: after a restart
 * until every witness has found its claims there, and whenever one has not. Either ends an ordered
 * withdrawal. Must be repeated about once a second, which also keeps the coin-pool a witness.
 */
export async function checkRedisRestart(
  redis: CoinStoreRedis,
  sponsor: string,
  check: RestartCheck,
): Promise<RestartCheckResult> {
  const { runId, mayForget, promotedFrom = '', holdMs, witness, loss: known = '0' } = check;
  const remembered = check.watermark ?? '';
  const args = [runId, mayForget ? 1 : 0, holdMs, witness, remembered, check.others.join()];
  const reply = await runScript(
    redis,
    'check-redis-restart',
    sponsor,
    ...args,
    promotedFrom,
    known,
  );
  const [suspendedMs, watermark, others, loss] = reply as [number, number, string, string];
  return { suspendedMs, watermark, others: others === '' ? [] : others.split(','), loss };
}

/**
 * The latest suspension of a pool or change of its server: an order names it from then on. '0': there was
 * none.
 */
export async function readLoss(redis: CoinStoreRedis, sponsor: string): Promise<string> {
  return (await redis.hget(poolKey(sponsor, 'loss'), 'id')) ?? '0';
}

/**
 * Notes that the next server of a pool's Redis holds everything that this one holds: its first coin-pool
 * suspends nothing. Must be the last write to the pool before a durable server is stopped: a server that has
 * this write has all writes before it too.
 */
export async function vouchForNextServer(redis: CoinStoreRedis, sponsor: string): Promise<void> {
  await redis.del(poolKey(sponsor, 'server'));
}

/** Suspends a pool with missing keys. False when it is suspended already. */
export async function suspendPool(
  redis: CoinStoreRedis,
  sponsor: string,
  holdMs: number,
): Promise<boolean> {
  return (await runScript(redis, 'suspend-pool', sponsor, holdMs)) === 1;
}

/**
 * Remaining duration of a pool's suspension, in ms; 0 or negative once it may be ended; null when the pool is
 * not suspended.
 */
export async function readSuspension(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<number | null> {
  return (await runScript(redis, 'read-suspension', sponsor)) as number | null;
}

/** Ends the suspension of a pool. False when it must last longer. */
export async function endSuspension(redis: CoinStoreRedis, sponsor: string): Promise<boolean> {
  return (await runScript(redis, 'end-suspension', sponsor)) === 1;
}
