import { auditPool } from '@forecourt/coin-store';
import type { PoolParts } from '../pool/pool-parts.js';

const MOST_LOGGED = 20;

/** Compares a pool with the ledger, coin by coin, and takes down how many differences there are. */
export async function auditRegularly(parts: PoolParts, sponsor: string): Promise<void> {
  const { redis, ledger, logger, metrics } = parts;
  const { differences } = await auditPool(redis, ledger, sponsor);
  metrics.auditDifferences.set({ sponsor }, differences.length);
  metrics.audits.add({ outcome: differences.length === 0 ? 'exact' : 'differs' });
  if (differences.length === 0) return;
  const first = differences.slice(0, MOST_LOGGED);
  logger.error({ sponsor, count: differences.length, first }, 'pool and ledger differ');
}
