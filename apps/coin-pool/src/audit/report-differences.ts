import { auditPool } from '@forecourt/coin-store';
import type { AuditDependencies } from './audit-dependencies.js';

const MOST_LOGGED = 20;

/** Compares a pool with the ledger, coin by coin, and reports the differences as metrics and in the log. */
export async function reportDifferences(
  { redis, ledger, logger, metrics }: AuditDependencies,
  sponsor: string,
): Promise<void> {
  const { differences } = await auditPool(redis, ledger, sponsor);
  metrics.auditDifferences.set({ sponsor }, differences.length);
  metrics.audits.add({ outcome: differences.length === 0 ? 'exact' : 'differs' });
  if (differences.length === 0) return;
  const first = differences.slice(0, MOST_LOGGED);
  logger.error({ sponsor, count: differences.length, first }, 'Pool differs from the ledger');
}
