import { setTimeout as delay } from 'node:timers/promises';
import { ForecourtError } from '@forecourt/contracts';
import type { DecodedTransaction, DryRun, Ledger, SimulatedTransaction } from '@forecourt/ledger';
import type { RefusedExecutions } from './refused-executions.js';
import type { UndecidedInputs } from './undecided-inputs.js';

/** Fewer than between looks at objects: each dry run costs a node as much as an execution. */
const PAUSES_MS = [300, 700, 1_000];

export interface DryRunMeans {
  readonly ledger: Pick<Ledger, 'dryRun'>;
  readonly refused: Pick<RefusedExecutions, 'count'>;
  readonly undecided: Pick<UndecidedInputs, 'decide'>;
}

/**
 * Dry-runs a transaction. Throws REFUSED_BY_LEDGER with the ledger's own text if validators would not accept it,
 * LEDGER_UNREACHABLE if the node cannot tell (both count against the caller), INPUT_UNDECIDED while the node does not show the
 * sponsor's coins, which is not the caller's doing, and what `UndecidedInputs` throws while it does not show the rest.
 */
export async function dryRunOrRefuse(
  { ledger, refused, undecided }: DryRunMeans,
  caller: string,
  transaction: DecodedTransaction,
): Promise<SimulatedTransaction> {
  const run = () => dryRunUntilGasIsShown(ledger, transaction);
  const at = { caller, digest: transaction.digest, pausesMs: PAUSES_MS };
  const outcome: DryRun = await undecided.decide(at, run, (tried: DryRun) =>
    tried.kind === 'missing' ? { message: tried.message, lookAgain: run } : null,
  );
  if (outcome.kind === 'accepted') return outcome.simulated;
  if (outcome.kind === 'behind') throw new ForecourtError('INPUT_UNDECIDED', outcome.message);
  await refused.count(caller);
  if (outcome.kind === 'refused') throw new ForecourtError('REFUSED_BY_LEDGER', outcome.message);
  const cause = new Error(`Dry run undecided: ${outcome.message}`);
  throw new ForecourtError('LEDGER_UNREACHABLE', '', { cause });
}

/** The pool hands coins out as soon as they are back, before a node that is behind shows them. */
async function dryRunUntilGasIsShown(
  ledger: DryRunMeans['ledger'],
  transaction: DecodedTransaction,
): Promise<DryRun> {
  for (const pause of PAUSES_MS) {
    const tried = await ledger.dryRun(transaction);
    if (tried.kind !== 'behind') return tried;
    await delay(pause);
  }
  return ledger.dryRun(transaction);
}
