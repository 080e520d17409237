import { ForecourtError } from '@forecourt/contracts';
import type { DecodedTransaction, Ledger, SimulatedTransaction } from '@forecourt/ledger';
import type { RefusedExecutions } from './refused-executions.js';

/**
 * Dry-runs a transaction. Throws REFUSED_BY_LEDGER with the ledger's own text if validators would not accept it,
 * LEDGER_UNREACHABLE if the node cannot tell (both count against the caller), and `LedgerUnreachable`.
 */
export async function dryRunOrRefuse(
  ledger: Pick<Ledger, 'dryRun'>,
  refused: Pick<RefusedExecutions, 'count'>,
  caller: string,
  transaction: DecodedTransaction,
): Promise<SimulatedTransaction> {
  const outcome = await ledger.dryRun(transaction);
  if (outcome.kind === 'accepted') return outcome.simulated;
  await refused.count(caller);
  if (outcome.kind === 'refused') throw new ForecourtError('REFUSED_BY_LEDGER', outcome.message);
  const cause = new Error(`Dry run undecided: ${outcome.message}`);
  throw new ForecourtError('LEDGER_UNREACHABLE', '', { cause });
}
