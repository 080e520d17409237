import { type CoinStoreRedis, excludeExecution, type Quarantine } from '@forecourt/coin-store';
import { describeRefusal } from '@forecourt/contracts';
import {
  compareCoins,
  type DecodedTransaction,
  type ExecutedTransaction,
  findFirstUse,
  type GasCoin,
  type Ledger,
  type ShownCoin,
  type Submission,
} from '@forecourt/ledger';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Inject, Injectable } from '@nestjs/common';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { quarantinePending } from './outcome-pending.js';
import type { Execution } from './execution.js';
import { OutcomesService } from './outcomes.service.js';
import { QuarantinedCoins } from './quarantined-coins.js';
import { Replies } from './replies.js';

/**
 * For this many epochs after the submission, data may be missing only because it has not reached the node.
 * After that it is missing because nodes forget: old transactions, and the ids of deleted objects.
 */
const LAGGING_EPOCHS = 2n;
/** A node that lags reports an epoch that is so many too low at most. */
const NODE_BEHIND_EPOCHS = 1n;
/** Added to the duration of validators' locks, so that the locks are gone for certain. */
const LOCK_MARGIN_MS = 500;

type UnsettledSubmission = Exclude<Submission, { kind: 'executed' }>;

/** Quarantines transactions that were not executed but may still be, and ends their quarantine. */
@Injectable()
export class QuarantinesService {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly outcomes: OutcomesService,
    private readonly replies: Replies,
    private readonly coins: QuarantinedCoins,
    private readonly metrics: ExecutorMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Not executed, but it may still be: the coins stay bound until the ledger excludes that, and until then no
   * caller receives a refusal. It is not submitted again. `unknown`: no node reported its outcome, and the
   * epoch of its submission is over; this does not count against the caller. `epoch`: of the last submission.
   * Throws `OutcomePending` until the quarantine has ended, and the errors of the ledger and Redis.
   */
  async begin(
    execution: Execution,
    { kind, message }: UnsettledSubmission,
    epoch: bigint,
  ): Promise<void> {
    const { job } = execution;
    const note = { message, epoch, isExcused: kind === 'unknown' };
    const { quarantined, isCurrent } = await this.coins.quarantine(execution, note);
    if (!isCurrent) return;
    if (quarantined) {
      passFailpoint('executor:after-quarantine');
      this.metrics.ends.add({ outcome: 'quarantined', cause: kind });
      this.logger.warn(
        { ...job, outcome: 'quarantined', message },
        'Transaction not executed, but it may still be: coins quarantined',
      );
    }
    const begun = { message, epoch, movedOnBy: null, ageMs: 0, isExcluded: false };
    await this.resolve(execution, begun);
  }

  /**
   * Ends a quarantine: either the transaction has landed, or it is made unable to land. It is never submitted
   * again.
   *
   * While validators may hold the gas coins for it, only an input moved by another transaction, or the end of
   * its last epoch, ends it: then the transaction is excluded, its callers receive the refusal, and the
   * sponsor's own transaction moves the coins to a later version, unless validators hold them. After the
   * epoch of the submission, or once soft locks have expired, the coins are free, and the sponsor's own
   * transaction alone excludes the other. Throws `OutcomePending` until the quarantine has ended, and the
   * errors of the ledger and Redis.
   */
  async resolve(execution: Execution, stored: Quarantine): Promise<void> {
    if (await this.endIfLanded(execution, stored)) return;
    const { epoch, objectLockMs } = await this.ledger.status(0);
    const quarantine = await this.withPossibleEpoch(execution, stored, epoch);
    const isLocked =
      objectLockMs === null
        ? epoch <= quarantine.epoch
        : quarantine.ageMs < objectLockMs + LOCK_MARGIN_MS;
    if (!isLocked || quarantine.movedOnBy !== null) {
      const hasEnded = await this.endIfMovedOn(execution, quarantine, epoch);
      if (!hasEnded) await this.coins.move(execution, quarantine, isLocked);
      return;
    }
    if (!quarantine.isExcluded) {
      if (!(await this.canNeverLand(execution.transaction))) {
        throw quarantinePending('Quarantined: validators may hold the coins', quarantine);
      }
      if (await this.outcomes.settleIfLanded(execution)) return;
      await this.exclude(execution, quarantine);
    }
    await this.coins.move(execution, quarantine, isLocked);
  }

  /**
   * An epoch far above the present one is another network's: the quarantine would last until ours reaches it.
   */
  private async withPossibleEpoch(
    execution: Execution,
    quarantine: Quarantine,
    present: bigint,
  ): Promise<Quarantine> {
    const latest = present + NODE_BEHIND_EPOCHS;
    if (quarantine.epoch <= latest) return quarantine;
    await this.coins.quarantine(execution, { message: quarantine.message, epoch: present });
    return { ...quarantine, epoch: latest };
  }

  /** Ends the quarantine if the coins have moved, or an input has and the coins may return as they are. */
  private async endIfMovedOn(
    execution: Execution,
    quarantine: Quarantine,
    epoch: bigint,
  ): Promise<boolean> {
    const { job, begun, transaction } = execution;
    const { movedOnBy } = quarantine;
    const mayLag = epoch <= quarantine.epoch + LAGGING_EPOCHS;
    const current = await this.ledger.readGasCoins(job.sponsor, begun.coins);
    const now = compareCoins(begun.coins, current);
    const haveMoved = now.haveMoved || !now.allShown;
    if (!now.allShown && mayLag) {
      throw quarantinePending('The ledger node does not show the coins', quarantine);
    }
    // Once the sponsor's own transaction is recorded, which may land at any time, coins that have not moved
    // are kept. In the epoch of the submission a coin never returns at the same version.
    const mayReturn = movedOnBy === null && epoch > quarantine.epoch;
    if (!haveMoved && !(mayReturn && (await this.ledger.haveInputsMovedOn(transaction)))) {
      return false;
    }
    // Read after the coins: a node that shows them moved by this transaction has it.
    if (await this.endIfLanded(execution, quarantine)) return true;
    const movedBy = [job.digest, movedOnBy ?? ''].find((digest) => now.movedBy.has(digest)) ?? null;
    const isUnknown = haveMoved && movedBy === null;
    const first = isUnknown ? await this.findFirstUse(begun.coins[0]!, current) : null;
    // Another node than for the coins may have answered, and lag behind.
    if (mayLag && (movedBy !== null || (first === null && now.movedBy.size > 0))) {
      const message = 'The ledger node does not show the transaction that moved the coins';
      throw quarantinePending(message, quarantine);
    }
    if (isUnknown) {
      await this.coins.releaseForgotten(execution, quarantine, { now, first, epoch });
    } else {
      const { remaining } = now;
      await this.coins.release(execution, quarantine, { haveMoved, remaining, movedBy });
    }
    return true;
  }

  private findFirstUse(
    coin: GasCoin,
    current: ReadonlyMap<string, ShownCoin | 'gone'>,
  ): Promise<ExecutedTransaction | null> {
    const currentCoin = current.get(coin.objectId);
    const changedBy =
      currentCoin === undefined || currentCoin === 'gone' ? null : (currentCoin.changedBy ?? null);
    return findFirstUse(this.ledger, coin, changedBy);
  }

  /** Ends the quarantine if the transaction, or the one that moves its coins, has landed. */
  private async endIfLanded(execution: Execution, quarantine: Quarantine): Promise<boolean> {
    return (
      (await this.outcomes.settleIfLanded(execution)) ||
      (await this.coins.settleIfMoved(execution, quarantine))
    );
  }

  private async canNeverLand(transaction: DecodedTransaction): Promise<boolean> {
    const { ledger } = this;
    return (await ledger.haveInputsMovedOn(transaction)) || (await ledger.hasExpired(transaction));
  }

  /** Callers receive the refusal: the transaction can never be executed. */
  private async exclude({ job }: Execution, quarantine: Quarantine): Promise<void> {
    const waiters = await excludeExecution(this.redis, job.sponsor, job);
    if (waiters === null) return;
    this.logger.info(
      { ...job, outcome: 'refused' },
      'The transaction can never be executed: callers receive the refusal',
    );
    await this.replies.sendRefusal(job, waiters, describeRefusal(quarantine));
  }
}
