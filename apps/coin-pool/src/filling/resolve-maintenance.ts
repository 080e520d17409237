import { abortMaintenance, bindMaintenance, listMaintenance } from '@forecourt/coin-store';
import type { ResolveDependencies } from './maintenance-dependencies.js';
import { dropMovedCoins } from './drop-moved-coins.js';
import { recheckMaintenance } from './recheck-maintenance.js';
import { type BoundOperation, finish, LEASE_MS, submitMaintenance } from './run-maintenance.js';

/**
 * Finishes splits, consolidations and withdrawals that a crash interrupted or whose outcome is unknown: looks for the
 * digest, or else submits the same bytes again. One that fails does not stop the others; its failure, such as that of
 * `recheckMaintenance`, is thrown after them, as an `AggregateError` where several fail.
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
      // Not bound, so not signed; its process may bind it at this very moment.
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
  const { redis, ledger } = dependencies;
  const { operationId, digest, amount, bytes } = operation;
  const landed = await ledger.findTransaction(digest);
  if (landed) return finish(dependencies, sponsor, operation, landed.effects);
  recheckMaintenance(dependencies, sponsor, operation);
  // Renews the lease, so that an operation with unknown outcome is not submitted in every round.
  const txBytes = Buffer.from(bytes).toString('base64');
  const binding = { operationId, digest, txBytes, amount, leaseMs: LEASE_MS };
  if ((await bindMaintenance(redis, sponsor, binding)) === null) return 'overtaken';
  const outcome = await submitMaintenance(dependencies, sponsor, operation);
  if (outcome !== 'conflict') return outcome;
  return (await dropMovedCoins(dependencies, sponsor, operation)) ? 'coins moved' : outcome;
}
