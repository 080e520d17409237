import { paymentImpact } from '@forecourt/coin-store';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { settleFromEffects, sponsorCost, type TransactionEffects } from '@forecourt/ledger';
import type { Execution } from './execution.js';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { recordChanges } from './record-changes.js';

/**
 * The ledger has executed the transaction: the coin returns at its new version, and the waiters receive the effects
 * in the same step.
 */
export async function settle(
  dependencies: ExecutionDependencies,
  execution: Execution,
  effects: TransactionEffects,
): Promise<void> {
  const { job, begun, transaction } = execution;
  const { gasCoin, gasCharged } = settleFromEffects(effects, begun.coins, job.sponsor);
  const wear = paymentImpact(begun.coins, gasCoin, transaction.gasPrice, dependencies.rules);
  const cost = sponsorCost(effects, wear);
  const recorded = recordChanges(dependencies, execution, effects);
  passFailpoint('executor:before-settle');
  const { settled, waiters } = await dependencies.metrics.step('settle', () =>
    dependencies.steps.settle(job.sponsor, {
      reservationId: job.reservationId,
      digest: job.digest,
      outcome: 'executed',
      returned: gasCoin ? [gasCoin] : [],
      gasCharged,
      cost,
      rules: dependencies.rules,
      retentionMs: dependencies.retentionMs,
      reply: {
        reservationId: job.reservationId,
        digest: job.digest,
        fence: job.fence,
        outcome: { kind: 'executed', effects },
      },
    }),
  );
  await recorded;
  if (!settled) return;
  passFailpoint('executor:after-settle');
  const cause = effects.status.status === 'success' ? 'success' : 'failure';
  dependencies.metrics.ends.add({ outcome: 'executed', cause });
  dependencies.metrics.countGas('execution', gasCharged);
  dependencies.metrics.countCost(begun.caller, begun.rule, cost);
  dependencies.logger.info(
    {
      ...job,
      caller: begun.caller,
      outcome: 'executed',
      status: effects.status.status,
      gasCharged: String(gasCharged),
      cost: String(cost),
    },
    'Transaction settled',
  );
  dependencies.replies.followUp(job, waiters);
  passFailpoint('executor:after-reply');
}
