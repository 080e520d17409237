import { paymentImpact, type Quarantine } from '@forecourt/coin-store';
import { describeRefusal } from '@forecourt/contracts';
import { type CoinsNow, type GasCoin, sponsorCost } from '@forecourt/ledger';
import type { Execution } from './execution.js';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { OutcomePending } from './outcome-pending.js';

/**
 * Ends a quarantine without effects: the coins return as the ledger shows them, and those that no longer exist
 * leave the pool. `movedBy`: the transaction, the caller's or the sponsor's own, that moved them; null: another
 * one. Throws `OutcomePending` when they have not moved and another executor has begun to move them meanwhile.
 */
export async function releaseCoins(
  { steps, rules, retentionMs, metrics, logger }: ExecutionDependencies,
  { job, begun, transaction }: Execution,
  quarantine: Quarantine,
  {
    haveMoved,
    remaining,
    movedBy,
  }: Pick<CoinsNow, 'haveMoved' | 'remaining'> & { readonly movedBy: string | null },
): Promise<void> {
  const { sponsor, reservationId, digest, fence } = job;
  const isExecuted = movedBy === digest;
  const gasCharged = movedBy === null ? 0n : sumOf(begun.coins) - sumOf(remaining);
  const wear = paymentImpact(begun.coins, remaining[0] ?? null, transaction.gasPrice, rules);
  // Of its cost only the coins' loss is known.
  const gasUsed = {
    computationCost: '0',
    storageCost: String(gasCharged),
    storageRebate: '0',
    nonRefundableStorageFee: '0',
  };
  const refused = haveMoved ? 'refused' : 'unmoved';
  const outcome = { kind: 'refused', message: describeRefusal(quarantine) } as const;
  const { settled } = await steps.settle(sponsor, {
    reservationId,
    digest,
    outcome: isExecuted ? 'executed' : refused,
    returned: remaining,
    gasCharged,
    cost: movedBy === null ? 0n : sponsorCost({ gasUsed }, wear),
    rules,
    retentionMs,
    ...(!isExecuted && { reply: { reservationId, digest, fence, outcome } }),
  });
  if (!settled && !haveMoved) {
    throw new OutcomePending('Another executor moves the coins, or has ended the quarantine');
  }
  if (!settled) return;
  metrics.ends.add({ outcome: 'released', cause: 'had_moved' });
  metrics.countGas(isExecuted ? 'execution' : 'quarantine', gasCharged);
  const ending = isExecuted ? 'executed' : 'released';
  logger.info({ ...job, outcome: ending, coins: remaining.length }, 'Quarantine ended');
}

function sumOf(coins: readonly GasCoin[]): bigint {
  return coins.reduce((sum, { balance }) => sum + balance, 0n);
}
