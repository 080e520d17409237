import { paymentImpact, quarantineExecution, settleExecution } from '@forecourt/coin-store';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import {
  compareCoins,
  type FinalTransaction,
  type GasCoin,
  settleFromEffects,
  sponsorCost,
} from '@forecourt/ledger';
import type { Execution } from './execute-transaction.js';
import type { ExecutorParts } from './executor-parts.js';
import { OutcomePending } from './outcome-pending.js';
import { settle } from './settle.js';

/** What moving the coins on may cost; what is not used is not charged. */
const LARGEST_BUDGET = 10_000_000n;

/**
 * A quarantined transaction has landed, or is made unable to: once the epoch of its submission is over validators hold
 * nothing for it, and the sponsor's own transaction moves its gas coins on to a later version. It is never submitted
 * again: its caller was told that it is refused, and may have had the same done by another one since.
 * `submittedEpoch`: in which it was submitted, or in which the sponsor's own was. Throws `OutcomePending` until then.
 */
export async function resolveQuarantine(
  parts: ExecutorParts,
  execution: Execution,
  submittedEpoch: bigint,
): Promise<void> {
  const { ledger } = parts;
  const { job, begun } = execution;
  if (await endIfLanded(parts, execution)) return;
  const { epoch } = await ledger.status(0);
  if (epoch <= submittedEpoch) throw new OutcomePending('quarantined until the epoch ends', true);

  const ids = begun.coins.map(({ objectId }) => objectId);
  const current = await ledger.readGasCoins(job.sponsor, ids);
  const { allShown, haveMoved, remaining } = compareCoins(begun.coins, current);
  if (!allShown) throw new OutcomePending('the node does not show the coins', true);
  if (haveMoved || (await ledger.haveInputsMovedOn(execution.transaction))) {
    // Asked after the coins: a node that shows them moved by this very transaction knows it by then.
    if (await endIfLanded(parts, execution)) return;
    return giveUp(parts, execution, remaining);
  }
  await moveCoinsOn(parts, execution, epoch);
}

/** Ends it with what has landed: the transaction itself, or the one that was to move its coins on. */
async function endIfLanded(parts: ExecutorParts, execution: Execution): Promise<boolean> {
  return (await settleIfLanded(parts, execution)) || (await settleIfMovedOn(parts, execution));
}

async function settleIfLanded(parts: ExecutorParts, execution: Execution): Promise<boolean> {
  const landed = await parts.ledger.findTransaction(execution.job.digest);
  if (landed) await settle(parts, execution, landed.effects);
  return landed !== null;
}

/** Ends it with the effects of the sponsor's own transaction, if that has landed and nobody has written it down. */
async function settleIfMovedOn(parts: ExecutorParts, execution: Execution): Promise<boolean> {
  const movedOnBy = execution.begun.quarantine?.movedOnBy;
  const landed = movedOnBy ? await parts.ledger.findTransaction(movedOnBy) : null;
  if (landed) await settleMovedOn(parts, execution, landed);
  return landed !== null;
}

/** The sponsor pays a transaction of its own with the coins: at their new version they can never pay for the old one. */
async function moveCoinsOn(
  parts: ExecutorParts,
  execution: Execution,
  epoch: bigint,
): Promise<void> {
  const { ledger, redis } = parts;
  const { begun, signer } = execution;
  const { sponsor, reservationId, digest, fence } = execution.job;
  const { referenceGasPrice: gasPrice } = await ledger.status();
  const sum = begun.coins.reduce((total, { balance }) => total + balance, 0n);
  const gasBudget = sum < LARGEST_BUDGET ? sum : LARGEST_BUDGET;
  const own = await ledger.buildConsolidation({ sponsor, coins: begun.coins, gasPrice, gasBudget });
  // Noted first: from here on validators may hold the coins for the sponsor's own, in this epoch.
  const message = begun.quarantine?.message ?? '';
  await quarantineExecution(redis, sponsor, {
    reservationId,
    digest,
    fence,
    message,
    epoch,
    movedOnBy: own.digest,
  });
  const submission = await ledger.submit(own.bytes, [await signer.signTransaction(own.bytes)]);
  if (submission.kind !== 'executed') {
    throw new OutcomePending(`the coins could not be moved on: ${submission.message}`, true);
  }
  passFailpoint('executor:after-move-on');
  await settleMovedOn(parts, execution, { digest: own.digest, effects: submission.effects });
}

/** The coin returns as the sponsor's own transaction has left it; its cost is counted against whoever made it necessary. */
async function settleMovedOn(
  { redis, rules, retentionMs, logger, metrics }: ExecutorParts,
  { job, begun, transaction }: Execution,
  own: FinalTransaction,
): Promise<void> {
  const { sponsor, reservationId, digest } = job;
  const { gasCoin, gasCharged } = settleFromEffects(own.effects, begun.coins, sponsor);
  const wear = paymentImpact(begun.coins, gasCoin, transaction.gasPrice, rules);
  const cost = sponsorCost(own.effects, wear);
  const { settled } = await settleExecution(redis, sponsor, {
    reservationId,
    digest,
    outcome: 'refused',
    returned: gasCoin ? [gasCoin] : [],
    gasCharged,
    cost,
    rules,
    retentionMs,
  });
  if (!settled) return;
  metrics.ends.add({ outcome: 'released', cause: 'moved_on' });
  metrics.gas('quarantine', gasCharged);
  logger.info({ ...job, outcome: 'dead', movedOnBy: own.digest }, 'quarantine ended');
}

/** The coins return as the ledger shows them; those that are gone leave the pool. */
async function giveUp(
  parts: ExecutorParts,
  { job }: Execution,
  returned: readonly GasCoin[],
): Promise<void> {
  const { settled } = await settleExecution(parts.redis, job.sponsor, {
    reservationId: job.reservationId,
    digest: job.digest,
    outcome: 'refused',
    returned,
    gasCharged: 0n,
    cost: 0n,
    rules: parts.rules,
    retentionMs: parts.retentionMs,
  });
  if (!settled) return;
  parts.metrics.ends.add({ outcome: 'released', cause: 'had_moved' });
  parts.logger.info({ ...job, outcome: 'dead', coins: returned.length }, 'quarantine ended');
}
