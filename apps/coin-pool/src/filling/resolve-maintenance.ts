import { abortMaintenance, bindMaintenance, listMaintenance } from '@forecourt/coin-store';
import type { PoolParts } from '../pool/pool-parts.js';
import { finish, LEASE_MS, submitMaintenance } from './run-maintenance.js';

/** Finishes splits and folds that a crash interrupted or whose outcome was in doubt: by digest, else the very same bytes. */
export async function resolveMaintenance(parts: PoolParts, sponsor: string): Promise<void> {
  const { redis, ledger, logger } = parts;
  for (const operation of await listMaintenance(redis, sponsor)) {
    const { operationId, digest, txBytes, amount, leaseOver } = operation;
    if (!leaseOver) continue;
    if (digest === null || txBytes === null) {
      // Never bound, so never signed.
      await abortMaintenance(redis, sponsor, { operationId });
      logger.warn({ sponsor, operationId, repair: 'aborted' }, 'maintenance was never signed');
      continue;
    }
    const landed = await ledger.findTransaction(digest);
    if (landed) await finish(parts, sponsor, operation, landed.effects);
    else {
      // Renews the lease, so that one in doubt is not submitted at every turn.
      const binding = { operationId, digest, txBytes, amount, leaseMs: LEASE_MS };
      await bindMaintenance(redis, sponsor, binding);
      const bytes = Buffer.from(txBytes, 'base64');
      await submitMaintenance(parts, sponsor, { ...operation, digest, bytes });
    }
    logger.warn({ sponsor, operationId, digest, repair: 'resolved' }, 'maintenance taken up again');
  }
}
