import { auditPool, type PoolAudit } from '@forecourt/coin-store';
import type { AuditOutcome } from '../metrics/pool-metrics.js';
import type { AuditDependencies } from './audit-dependencies.js';

const MAX_LOGGED = 20;

/** Compares a pool with the ledger, coin by coin, and reports the differences as metrics and in the log. */
export async function reportDifferences(
  { redis, ledger, logger, metrics }: AuditDependencies,
  sponsor: string,
): Promise<void> {
  const audit = await auditPool(redis, ledger, sponsor);
  const { differences } = audit;
  metrics.auditDifferences.set({ sponsor }, differences.length);
  metrics.audits.add({ outcome: nameOutcome(audit) });
  if (differences.length === 0) return;
  const first = differences.slice(0, MAX_LOGGED);
  logger.error({ sponsor, count: differences.length, first }, 'Pool differs from the ledger');
}

function nameOutcome({ differences, isExact }: PoolAudit): AuditOutcome {
  if (isExact) return 'exact';
  return differences.length === 0 ? 'changing' : 'differs';
}
