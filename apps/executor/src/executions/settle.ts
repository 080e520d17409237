import { paymentImpact, settleExecution } from '@forecourt/coin-store';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { settleFromEffects, sponsorCost, type TransactionEffects } from '@forecourt/ledger';
import type { Execution } from './execute-transaction.js';
import type { ExecutorParts } from './executor-parts.js';

/** The ledger has executed it: the coin returns at its new version, and those who wait hear the effects. */
export async function settle(
  parts: ExecutorParts,
  { job, begun, transaction }: Execution,
  effects: TransactionEffects,
): Promise<void> {
  const { gasCoin, gasCharged } = settleFromEffects(effects, begun.coins, job.sponsor);
  const wear = paymentImpact(begun.coins, gasCoin, transaction.gasPrice, parts.rules);
  const cost = sponsorCost(effects, wear);
  passFailpoint('executor:before-settle');
  const { settled, waiters } = await parts.metrics.step('settle', () =>
    settleExecution(parts.redis, job.sponsor, {
      reservationId: job.reservationId,
      digest: job.digest,
      outcome: 'executed',
      returned: gasCoin ? [gasCoin] : [],
      gasCharged,
      cost,
      rules: parts.rules,
      retentionMs: parts.retentionMs,
    }),
  );
  if (!settled) return;
  passFailpoint('executor:after-settle');
  const cause = effects.status.status === 'success' ? 'success' : 'failure';
  parts.metrics.ends.add({ outcome: 'executed', cause });
  parts.metrics.gas('execution', gasCharged);
  parts.metrics.costOf(begun.caller, begun.rule, cost);
  parts.logger.info(
    {
      ...job,
      outcome: 'executed',
      status: effects.status.status,
      gasCharged: String(gasCharged),
      cost: String(cost),
    },
    'settled',
  );
  await parts.replies.executed(job, waiters, effects);
  passFailpoint('executor:after-reply');
}
