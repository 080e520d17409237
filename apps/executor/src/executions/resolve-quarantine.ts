import { excludeExecution, type Quarantine } from '@forecourt/coin-store';
import { describeRefusal } from '@forecourt/contracts';
import { compareCoins, type DecodedTransaction } from '@forecourt/ledger';
import type { Execution } from './execution.js';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { moveCoins, settleIfMoved } from './move-coins.js';
import { quarantinePending } from './outcome-pending.js';
import { releaseCoins } from './release-coins.js';
import { settleIfLanded } from './settle-if-landed.js';

/**
 * For this many epochs after the submission, data may be missing only because it has not reached the node. After
 * that it is missing because nodes forget: old transactions, and the ids of deleted objects.
 */
const LAGGING_EPOCHS = 2n;
/** Added to the duration of validators' locks, so that the locks are gone for certain. */
const LOCK_MARGIN_MS = 500;

/**
 * Ends a quarantine: either the transaction has landed, or it is made unable to land. It is never submitted again.
 *
 * While validators may hold the gas coins for it, only an input moved by another transaction, or the end of its last
 * epoch, ends it: then the transaction is excluded, its callers receive the refusal, and the sponsor's own transaction
 * moves the coins to a later version, unless validators hold them. After the epoch of the submission, or once soft
 * locks have expired, the coins are free, and the sponsor's own transaction alone excludes the other.
 * Throws `OutcomePending` until the quarantine has ended, and the errors of the ledger and Redis.
 */
export async function resolveQuarantine(
  dependencies: ExecutionDependencies,
  execution: Execution,
  quarantine: Quarantine,
): Promise<void> {
  const { ledger } = dependencies;
  const { job, begun, transaction } = execution;
  if (await endIfLanded(dependencies, execution, quarantine)) return;
  const { epoch, objectLockMs } = await ledger.status(0);
  const isLocked =
    objectLockMs === null
      ? epoch <= quarantine.epoch
      : quarantine.ageMs < objectLockMs + LOCK_MARGIN_MS;
  const { movedOnBy } = quarantine;
  if (isLocked && movedOnBy === null) {
    if (!quarantine.isExcluded) {
      if (!(await canNeverLand(ledger, transaction))) {
        throw quarantinePending('Quarantined: validators may hold the coins', quarantine);
      }
      if (await settleIfLanded(dependencies, execution)) return;
      await exclude(dependencies, execution, quarantine);
    }
    return moveCoins(dependencies, execution, quarantine, isLocked);
  }
  const mayLag = epoch <= quarantine.epoch + LAGGING_EPOCHS;
  const current = await ledger.readGasCoins(job.sponsor, begun.coins);
  const now = compareCoins(begun.coins, current);
  const haveMoved = now.haveMoved || !now.allShown;
  if (!now.allShown && mayLag)
    throw quarantinePending('The ledger node does not show the coins', quarantine);
  // Once the sponsor's own transaction is recorded, which may land at any time, coins that have not moved are kept.
  // In the epoch of the submission a coin never returns at the same version.
  const mayReturn = movedOnBy === null && epoch > quarantine.epoch;
  if (haveMoved || (mayReturn && (await ledger.haveInputsMovedOn(transaction)))) {
    // Read after the coins: a node that shows them moved by this transaction has it.
    if (await endIfLanded(dependencies, execution, quarantine)) return;
    const movedBy = [job.digest, movedOnBy ?? ''].find((digest) => now.movedBy.has(digest)) ?? null;
    // Another node than for the coins may have answered, and lag behind.
    if (movedBy !== null && mayLag) {
      throw quarantinePending(
        'The ledger node does not show the transaction that moved the coins',
        quarantine,
      );
    }
    const { remaining } = now;
    return releaseCoins(dependencies, execution, quarantine, { haveMoved, remaining, movedBy });
  }
  await moveCoins(dependencies, execution, quarantine, isLocked);
}

/** Ends the quarantine if the transaction, or the one that moves its coins, has landed. */
async function endIfLanded(
  dependencies: ExecutionDependencies,
  execution: Execution,
  quarantine: Quarantine,
): Promise<boolean> {
  return (
    (await settleIfLanded(dependencies, execution)) ||
    (await settleIfMoved(dependencies, execution, quarantine))
  );
}

async function canNeverLand(
  ledger: ExecutionDependencies['ledger'],
  transaction: DecodedTransaction,
): Promise<boolean> {
  return (await ledger.haveInputsMovedOn(transaction)) || (await ledger.hasExpired(transaction));
}

/** Callers receive the refusal: the transaction can never be executed. */
async function exclude(
  { redis, logger, replies }: ExecutionDependencies,
  { job }: Execution,
  quarantine: Quarantine,
): Promise<void> {
  const waiters = await excludeExecution(redis, job.sponsor, job);
  if (waiters === null) return;
  logger.info(
    { ...job, outcome: 'refused' },
    'The transaction can never be executed: callers receive the refusal',
  );
  await replies.sendRefusal(job, waiters, describeRefusal(quarantine));
}
