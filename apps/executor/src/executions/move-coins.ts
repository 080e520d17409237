import { paymentImpact, type Quarantine, quarantineExecution } from '@forecourt/coin-store';
import { describeRefusal } from '@forecourt/contracts';
import {
  type FinalTransaction,
  maintenanceBudget,
  settleFromEffects,
  sponsorCost,
} from '@forecourt/ledger';
import { untilRecent } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { Execution } from './execution.js';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { quarantinePending } from './outcome-pending.js';

/**
 * Submits a sponsor's transaction that uses the coins: at their new version they cannot pay for the caller's. `isLocked`: validators may hold the coins, so that in this epoch only the same transaction may be
 * submitted, any number of times. Throws `OutcomePending` unless it lands.
 */
export async function moveCoins(
  dependencies: ExecutionDependencies,
  execution: Execution,
  quarantine: Quarantine,
  isLocked: boolean,
): Promise<void> {
  const { ledger, redis, logger } = dependencies;
  const { begun, signer, job } = execution;
  const { epoch, referenceGasPrice: gasPrice } = await ledger.status();
  const sum = begun.coins.reduce((total, { balance }) => total + balance, 0n);
  const enough = maintenanceBudget(0, gasPrice);
  const gasBudget = sum < enough ? sum : enough;
  const { coins } = begun;
  const own = await ledger.buildConsolidation({ sponsor: job.sponsor, coins, gasPrice, gasBudget });
  const { movedOnBy } = quarantine;
  if (isLocked && movedOnBy !== null && own.digest !== movedOnBy) {
    throw quarantinePending(
      'Quarantined: validators may hold the coins for the sponsor’s own transaction',
      quarantine,
    );
  }
  // Recorded first: after this, validators may lock the coins for the sponsor's own transaction.
  const { reservationId, digest, fence } = job;
  const { message } = quarantine;
  const record = { reservationId, digest, fence, message, epoch, movedOnBy: own.digest };
  let signature = '';
  const { isCurrent } = await untilRecent(dependencies.submitWithinMs, async () => {
    const recorded = await quarantineExecution(redis, job.sponsor, record);
    if (recorded.isCurrent) signature ||= await signer.signTransaction(own.bytes);
    return recorded;
  });
  if (!isCurrent) {
    logger.info({ ...job }, 'Coins not moved: another executor has ended the quarantine');
    return;
  }
  const submission = await ledger.submit(own.bytes, [signature]);
  if (submission.kind !== 'executed') {
    throw quarantinePending(`The coins could not be moved: ${submission.message}`, quarantine);
  }
  passFailpoint('executor:after-move-on');
  const landed = { digest: own.digest, effects: submission.effects };
  await settleMoved(dependencies, execution, quarantine, landed);
}

/** Ends the quarantine with the effects of the sponsor's own transaction, if that has landed. */
export async function settleIfMoved(
  dependencies: ExecutionDependencies,
  execution: Execution,
  quarantine: Quarantine,
): Promise<boolean> {
  const { movedOnBy } = quarantine;
  const landed = movedOnBy ? await dependencies.ledger.findTransaction(movedOnBy) : null;
  if (landed) await settleMoved(dependencies, execution, quarantine, landed);
  return landed !== null;
}

/** The coin returns as the sponsor's own transaction left it; the cost counts against the caller that caused it. */
async function settleMoved(
  { steps, rules, retentionMs, logger, metrics }: ExecutionDependencies,
  { job, begun, transaction }: Execution,
  quarantine: Quarantine,
  own: FinalTransaction,
): Promise<void> {
  const { sponsor, reservationId, digest, fence } = job;
  const { gasCoin, gasCharged } = settleFromEffects(own.effects, begun.coins, sponsor);
  const wear = paymentImpact(begun.coins, gasCoin, transaction.gasPrice, rules);
  const { settled } = await steps.settle(sponsor, {
    reservationId,
    digest,
    outcome: 'refused',
    returned: gasCoin ? [gasCoin] : [],
    gasCharged,
    cost: sponsorCost(own.effects, wear),
    rules,
    retentionMs,
    reply: {
      reservationId,
      digest,
      fence,
      outcome: { kind: 'refused', message: describeRefusal(quarantine) },
    },
  });
  if (!settled) return;
  metrics.ends.add({ outcome: 'released', cause: 'moved_on' });
  metrics.countGas('quarantine', gasCharged);
  logger.info({ ...job, outcome: 'released', movedOnBy: own.digest }, 'Quarantine ended');
}
