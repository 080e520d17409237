import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** What a coin-pool knows when it asks whether Redis is behind. */
export interface RestartCheck {
  /** Of the Redis server, or servers, that hold the pool. */
  readonly runId: string;
  /** Whether a crash of the server may lose its last writes. */
  readonly mayForget: boolean;
  /** Length of a suspension. */
  readonly holdMs: number;
  /** Names the process that asks. */
  readonly witness: string;
  /** The highest watermark it has seen; null when it has seen none. */
  readonly watermark: number | null;
  /** The other witnesses it knows of. */
  readonly others: readonly string[];
}

/** What Redis answers. */
export interface RestartCheckResult {
  /** After how many ms it may be over; 0 when the pool is not suspended. */
  readonly suspendedMs: number;
  readonly watermark: number;
  readonly others: readonly string[];
}

/**
 * Compares what a coin-pool remembers with what Redis has, and suspends the pool while Redis may be behind: after a restart
 * until every witness has found its claims there, and whenever one has not. To be repeated about once a second: that is also
 * how a coin-pool remains a witness.
 */
export async function checkRedisRestart(
  redis: CoinStoreRedis,
  sponsor: string,
  check: RestartCheck,
): Promise<RestartCheckResult> {
  const { runId, mayForget, holdMs, witness } = check;
  const remembered = check.watermark ?? '';
  const args = [runId, mayForget ? 1 : 0, holdMs, witness, remembered, check.others.join()];
  const reply = await runOnPool(redis, 'check-redis-restart', sponsor, ...args);
  const [suspendedMs, watermark, others] = reply as [number, number, string];
  return { suspendedMs, watermark, others: others === '' ? [] : others.split(',') };
}
