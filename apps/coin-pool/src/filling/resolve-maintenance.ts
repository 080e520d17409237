import { abortMaintenance, listMaintenance } from '@forecourt/coin-store';
import type { ResolveDependencies } from './maintenance-dependencies.js';
import { endWithoutEffects } from './end-without-effects.js';
import { recheckMaintenance } from './recheck-maintenance.js';
import { type BoundOperation, finish, submitMaintenance } from './run-maintenance.js';

/**
 * Finishes splits, consolidations and withdrawals that a crash interrupted or whose outcome is unknown: looks up
 * the digest, or else submits the same bytes again. A failure does not stop the others; it is thrown after them, as
 * an `AggregateError` for several failures. This includes the errors of `recheckMaintenance`.
 */
export async function resolveMaintenance(
  dependencies: ResolveDependencies,
  sponsor: string,
): Promise<void> {
  const { redis, logger, metrics } = dependencies;
  const failures: Error[] = [];
  for (const operation of await listMaintenance(redis, sponsor)) {
    const { operationId, kind, digest, txBytes, leaseOver } = operation;
    if (!leaseOver || kind === 'lost') continue;
    if (digest === null || txBytes === null) {
      // Not bound, so not signed; its process may bind it at this moment.
      if (!(await abortMaintenance(redis, sponsor, { operationId }))) continue;
      metrics.repairs.add({ cause: 'maintenance_unsigned' });
      logger.warn({ sponsor, operationId, repair: 'aborted' }, 'Unsigned maintenance aborted');
      continue;
    }
    const bytes = Buffer.from(txBytes, 'base64');
    const bound = { ...operation, digest, bytes };
    const outcome = await resolve(dependencies, sponsor, bound).catch((error: Error) => error);
    if (outcome instanceof Error) {
      failures.push(outcome);
      continue;
    }
    if (outcome === 'overtaken') continue;
    if (outcome === 'made' || outcome === 'failed') {
      metrics.repairs.add({ cause: 'maintenance_interrupted' });
    }
    logger.warn({ sponsor, operationId, digest, outcome }, 'Interrupted maintenance resumed');
  }
  if (failures.length === 1) throw failures[0]!;
  if (failures.length > 1) {
    throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
  }
}

async function resolve(
  dependencies: ResolveDependencies,
  sponsor: string,
  operation: BoundOperation,
) {
  const landed = await dependencies.ledger.findTransaction(operation.digest);
  if (landed) return finish(dependencies, sponsor, operation, landed.effects);
  const transaction = recheckMaintenance(dependencies, sponsor, operation);
  const outcome = await submitMaintenance(dependencies, sponsor, operation);
  if (outcome !== 'conflict') return outcome;
  const hasEnded = await endWithoutEffects(dependencies, sponsor, operation, transaction);
  return hasEnded ? 'ended without effects' : outcome;
}
