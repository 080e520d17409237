import { listRecentObjects, type TransactionEffects } from '@forecourt/ledger';
import type { Execution } from './execution.js';
import type { ExecutionDependencies } from './execution-dependencies.js';

/**
 * Records the objects in final effects for the fleet, before nodes that lag show them. Call it before the waiters
 * receive the outcome: their next transactions may use these objects at once. Never throws, since without a record
 * gateways wait for their node.
 */
export async function recordChanges(
  { recentObjects, logger }: Pick<ExecutionDependencies, 'recentObjects' | 'logger'>,
  { job, transaction }: Pick<Execution, 'job' | 'transaction'>,
  effects: TransactionEffects,
): Promise<void> {
  try {
    await recentObjects.record(listRecentObjects(effects, transaction));
  } catch (error) {
    logger.warn(
      { digest: job.digest, error: String(error) },
      'Changed objects not recorded: gateways will wait for their node to show them',
    );
  }
}
