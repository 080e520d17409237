import { paymentImpact, quarantineExecution, settleExecution } from '@forecourt/coin-store';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import {
  compareCoins,
  type FinalTransaction,
  settleFromEffects,
  maintenanceBudget,
  sponsorCost,
} from '@forecourt/ledger';
import type { Execution } from './execution.js';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { OutcomePending } from './outcome-pending.js';
import { releaseCoins } from './release-coins.js';
import { settleIfLanded } from './settle-if-landed.js';

/**
 * For so many epochs after the submission, what a node does not show may only not have reached it. After that it is missing
 * because nodes forget: old transactions, and which objects were deleted.
 */
const LAGGING_EPOCHS = 2n;

/**
 * Ends a quarantine: either the transaction has landed, or it is made unable to land. After the epoch of its submission, or
 * earlier where validators lock objects only for a moment, they have no locks for it, and the sponsor's own transaction moves
 * its gas coins to a later version. It is never submitted again: its caller may have been told that it is refused, and may
 * have repeated it with another transaction. `submittedEpoch`: the epoch in which it, or the sponsor's own transaction, was
 * submitted; the latter is submitted again until it lands. Throws `OutcomePending` until the quarantine has ended, and what
 * the ledger and Redis throw.
 */
export async function resolveQuarantine(
  dependencies: ExecutionDependencies,
  execution: Execution,
  submittedEpoch: bigint,
): Promise<void> {
  const { ledger } = dependencies;
  const { job, begun } = execution;
  if (await endIfLanded(dependencies, execution)) return;
  const { epoch } = await ledger.status(0);
  const isLocked = epoch <= submittedEpoch;
  const mayLag = epoch <= submittedEpoch + LAGGING_EPOCHS;
  const movedOnBy = begun.quarantine?.movedOnBy ?? '';
  if (isLocked && !movedOnBy) throw untilEpochEnds();
  const current = await ledger.readGasCoins(job.sponsor, begun.coins);
  const now = compareCoins(begun.coins, current);
  const haveMoved = now.haveMoved || !now.allShown;
  if (!now.allShown && mayLag)
    throw new OutcomePending('The ledger node does not show the coins', true);
  // Once the sponsor's own transaction is noted, which may land at any time, coins that have not moved are kept.
  if (haveMoved || (!movedOnBy && (await ledger.haveInputsMovedOn(execution.transaction)))) {
    // Read after the coins: a node that shows them moved by this very transaction has it by then.
    if (await endIfLanded(dependencies, execution)) return;
    const movedBy = [job.digest, movedOnBy].find((digest) => now.movedBy.has(digest)) ?? null;
    // Another node may have been asked for it than for the coins, and lag behind.
    if (movedBy !== null && mayLag) {
      throw new OutcomePending(
        'The ledger node does not show the transaction that moved the coins',
      );
    }
    return releaseCoins(dependencies, execution, { haveMoved, remaining: now.remaining }, movedBy);
  }
  await moveCoins(dependencies, execution, isLocked);
}

function untilEpochEnds(): OutcomePending {
  return new OutcomePending('Quarantined until the epoch ends', true);
}

/** Ends the quarantine if the transaction, or the one that moves its coins, has landed. */
async function endIfLanded(
  dependencies: ExecutionDependencies,
  execution: Execution,
): Promise<boolean> {
  return (
    (await settleIfLanded(dependencies, execution)) ||
    (await settleIfMoved(dependencies, execution))
  );
}

/** Ends the quarantine with the effects of the sponsor's own transaction, if that has landed. */
async function settleIfMoved(
  dependencies: ExecutionDependencies,
  execution: Execution,
): Promise<boolean> {
  const movedOnBy = execution.begun.quarantine?.movedOnBy;
  const landed = movedOnBy ? await dependencies.ledger.findTransaction(movedOnBy) : null;
  if (landed) await settleMoved(dependencies, execution, landed);
  return landed !== null;
}

/**
 * The sponsor pays a transaction of its own with the coins: at their new version they cannot pay for the old one. `isLocked`:
 * validators may hold the coins for the one that was submitted before, so that no other can land in this epoch.
 */
async function moveCoins(
  dependencies: ExecutionDependencies,
  execution: Execution,
  isLocked: boolean,
): Promise<void> {
  const { ledger, redis, logger } = dependencies;
  const { begun, signer } = execution;
  const { sponsor, reservationId, digest, fence } = execution.job;
  const { epoch, referenceGasPrice: gasPrice, objectLockMs } = await ledger.status();
  const sum = begun.coins.reduce((total, { balance }) => total + balance, 0n);
  const enough = maintenanceBudget(0, gasPrice);
  const gasBudget = sum < enough ? sum : enough;
  const own = await ledger.buildConsolidation({ sponsor, coins: begun.coins, gasPrice, gasBudget });
  if (isLocked && own.digest !== begun.quarantine?.movedOnBy) throw untilEpochEnds();
  // Recorded first: from here on validators may lock the coins for the sponsor's own transaction. Where they lock them until
  // the epoch ends, another one is made only then.
  const message = begun.quarantine?.message ?? '';
  const { isCurrent } = await quarantineExecution(redis, sponsor, {
    reservationId,
    digest,
    fence,
    message,
    epoch: objectLockMs === null ? epoch : epoch - 1n,
    movedOnBy: own.digest,
  });
  if (!isCurrent) {
    logger.info({ ...execution.job }, 'Coins not moved: another executor has ended the quarantine');
    return;
  }
  const submission = await ledger.submit(own.bytes, [await signer.signTransaction(own.bytes)]);
  if (submission.kind !== 'executed') {
    const pauseMs = objectLockMs ?? undefined;
    throw new OutcomePending(`The coins could not be moved: ${submission.message}`, true, pauseMs);
  }
  passFailpoint('executor:after-move-on');
  await settleMoved(dependencies, execution, { digest: own.digest, effects: submission.effects });
}

/** The coin returns as the sponsor's own transaction left it; the cost counts against the caller who made it necessary. */
async function settleMoved(
  { redis, rules, retentionMs, logger, metrics }: ExecutionDependencies,
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
  metrics.countGas('quarantine', gasCharged);
  logger.info({ ...job, outcome: 'released', movedOnBy: own.digest }, 'Quarantine ended');
}
