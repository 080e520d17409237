import type { Execution } from './execution.js';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { settle } from './settle.js';

/**
 * Whether the ledger has executed the transaction; if so, it is settled. Throws the errors of the ledger and Redis.
 */
export async function settleIfLanded(
  dependencies: ExecutionDependencies,
  execution: Execution,
): Promise<boolean> {
  const { ledger, metrics } = dependencies;
  const landed = await metrics.step('find', () => ledger.findTransaction(execution.job.digest));
  if (landed) await settle(dependencies, execution, landed.effects);
  return landed !== null;
}
