import { abortMaintenance, bindMaintenance, listMaintenance } from '@forecourt/coin-store';
import type { PoolParts } from '../pool/pool-parts.js';
import { letMovedCoinsGo } from './let-moved-coins-go.js';
import { type BoundOperation, finish, LEASE_MS, submitMaintenance } from './run-maintenance.js';

/** Finishes splits and folds that a crash interrupted or whose outcome was in doubt: by digest, else the very same bytes. */
export async function resolveMaintenance(parts: PoolParts, sponsor: string): Promise<void> {
  const { redis, logger, metrics } = parts;
  for (const operation of await listMaintenance(redis, sponsor)) {
    const { operationId, digest, txBytes, leaseOver } = operation;
    if (!leaseOver) continue;
    if (digest === null || txBytes === null) {
      // Never bound, so never signed.
      await abortMaintenance(redis, sponsor, { operationId });
      metrics.repairs.add({ cause: 'maintenance_unsigned' });
      logger.warn({ sponsor, operationId, repair: 'aborted' }, 'maintenance was never signed');
      continue;
    }
    const bytes = Buffer.from(txBytes, 'base64');
    const outcome = await resolve(parts, sponsor, { ...operation, digest, bytes });
    if (outcome === 'made' || outcome === 'failed') {
      metrics.repairs.add({ cause: 'maintenance_interrupted' });
    }
    logger.warn({ sponsor, operationId, digest, outcome }, 'maintenance taken up again');
  }
}

async function resolve(parts: PoolParts, sponsor: string, operation: BoundOperation) {
  const { redis, ledger } = parts;
  const { operationId, digest, amount, bytes } = operation;
  const landed = await ledger.findTransaction(digest);
  if (landed) return finish(parts, sponsor, operation, landed.effects);
  // Renews the lease, so that one in doubt is not submitted at every turn.
  const txBytes = Buffer.from(bytes).toString('base64');
  const binding = { operationId, digest, txBytes, amount, leaseMs: LEASE_MS };
  await bindMaintenance(redis, sponsor, binding);
  const outcome = await submitMaintenance(parts, sponsor, operation);
  if (outcome !== 'conflict') return outcome;
  return (await letMovedCoinsGo(parts, sponsor, operation)) ? 'coins moved on' : outcome;
}
