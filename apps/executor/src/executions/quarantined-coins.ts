import {
  type CoinStoreRedis,
  type Quarantine,
  quarantineExecution,
  type QuarantineRequest,
} from '@forecourt/coin-store';
import { describeRefusal } from '@forecourt/contracts';
import {
  type CoinsNow,
  type ExecutedTransaction,
  type FinalTransaction,
  type GasCoin,
  type Ledger,
  maintenanceBudget,
  settleFromEffects,
} from '@forecourt/ledger';
import { retryUntilFresh } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Inject, Injectable } from '@nestjs/common';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { OutcomePending, quarantinePending } from './outcome-pending.js';
import type { Execution } from './execution.js';
import { OutcomesService } from './outcomes.service.js';

/** Quarantines coins, moves them to a later version, and returns moved coins to the pool. */
@Injectable()
export class QuarantinedCoins {
  /**
   * `submitWithinMs`: longest time between Redis's record of a transaction and the start of its submission.
   */
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(EXECUTOR_CONFIG) private readonly settings: ExecutorConfig,
    private readonly outcomes: OutcomesService,
    private readonly metrics: ExecutorMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** See `quarantineExecution` of the coin store. */
  quarantine(
    { job, submissions }: Execution,
    note: Pick<QuarantineRequest, 'epoch' | 'isExcused' | 'message' | 'movedOnBy'>,
  ) {
    const request = { ...job, ...note, submissions: submissions.takeAges() };
    return quarantineExecution(this.redis, job.sponsor, request);
  }

  /**
   * Submits a sponsor's transaction that uses the coins: at their new version they cannot pay for the
   * caller's. `isLocked`: validators may hold the coins, so that in this epoch only the same transaction may
   * be submitted, any number of times. Throws `OutcomePending` unless it lands.
   */
  async move(execution: Execution, quarantine: Quarantine, isLocked: boolean): Promise<void> {
    const { begun, signer, job } = execution;
    const { coins } = begun;
    const { epoch, referenceGasPrice: gasPrice } = await this.ledger.status();
    const [sum, enough] = [sumOf(coins), maintenanceBudget(0, gasPrice)];
    const gasBudget = sum < enough ? sum : enough;
    const request = { sponsor: job.sponsor, coins, gasPrice, gasBudget };
    const own = await this.ledger.buildConsolidation(request);
    const { movedOnBy, message } = quarantine;
    if (isLocked && movedOnBy !== null && own.digest !== movedOnBy) {
      throw quarantinePending(
        'Quarantined: validators may hold the coins for the sponsor’s own transaction',
        quarantine,
      );
    }
    // Recorded first: after this, validators may lock the coins for the sponsor's own transaction.
    const note = { message, epoch, movedOnBy: own.digest };
    let signature = '';
    const { isCurrent } = await retryUntilFresh(this.settings.submitWithinMs, async () => {
      const recorded = await this.quarantine(execution, note);
      if (recorded.isCurrent) signature ||= await signer.signTransaction(own.bytes);
      return recorded;
    });
    if (!isCurrent) {
      this.logger.info({ ...job }, 'Coins not moved: another executor has ended the quarantine');
      return;
    }
    const submission = await this.ledger.submit(own.bytes, [signature]);
    if (submission.kind !== 'executed') {
      throw quarantinePending(`The coins could not be moved: ${submission.message}`, quarantine);
    }
    passFailpoint('executor:after-move-on');
    const landed = { digest: own.digest, effects: submission.effects };
    await this.settleMoved(execution, quarantine, landed);
  }

  /** Ends the quarantine with the effects of the sponsor's own transaction, if that has landed. */
  async settleIfMoved(execution: Execution, quarantine: Quarantine): Promise<boolean> {
    const { movedOnBy } = quarantine;
    const payment = {
      gasPayment: execution.begun.coins,
      gasOwner: execution.job.sponsor,
      maySendGasCoin: false,
    };
    const landed = movedOnBy ? await this.ledger.findTransaction(movedOnBy, payment) : null;
    if (landed) await this.settleMoved(execution, quarantine, landed);
    return landed !== null;
  }

  /**
   * The coin returns as the sponsor's own transaction left it; the cost counts against the caller that caused
   * it.
   */
  private async settleMoved(
    execution: Execution,
    quarantine: Quarantine,
    { digest: movedOnBy, effects }: FinalTransaction,
    withheldIn: bigint | null = null,
  ): Promise<void> {
    const { job, begun } = execution;
    const { gasCoin, gasCharged } = settleFromEffects(effects, begun.coins, job.sponsor);
    const { settled } = await this.outcomes.end(execution, {
      outcome: 'refused',
      returned: gasCoin && withheldIn === null ? [gasCoin] : [],
      withheld: gasCoin && withheldIn !== null ? { coins: [gasCoin], epoch: withheldIn } : null,
      gasCharged,
      gasUsed: effects.gasUsed,
      answer: { kind: 'refused', message: describeRefusal(quarantine) },
    });
    if (!settled) return;
    this.metrics.ends.add({ outcome: 'released', cause: 'moved_on' });
    this.metrics.countGas('quarantine', gasCharged);
    this.logger.info({ ...job, outcome: 'released', movedOnBy }, 'Quarantine ended');
  }

  /**
   * Ends a quarantine whose coins were moved by transactions that Redis does not know: it has lost them, or
   * the sponsor's key was used elsewhere. `first`: the one that used the coins of the quarantine, where the
   * ledger shows it; the cost counts against the caller if the sponsor has moved the coins with it. The coins
   * are withheld until a coin-pool has counted all the others.
   */
  async releaseForgotten(
    execution: Execution,
    quarantine: Quarantine,
    found: {
      readonly now: CoinsNow;
      readonly first: ExecutedTransaction | null;
      readonly epoch: bigint;
    },
  ): Promise<void> {
    const { now, first, epoch } = found;
    if (first !== null && isMoveOf(first, execution)) {
      const isLatest = now.movedBy.has(first.digest);
      return this.settleMoved(execution, quarantine, first, isLatest ? null : epoch);
    }
    const { settled } = await this.outcomes.end(execution, {
      outcome: 'refused',
      returned: now.unmoved,
      withheld: { coins: now.moved, epoch },
      gasCharged: 0n,
      gasUsed: null,
      answer: { kind: 'refused', message: describeRefusal(quarantine) },
    });
    const coins = now.remaining.length;
    if (settled) this.reportReleased(execution, { outcome: 'released', coins });
  }

  /**
   * Ends a quarantine without effects: the coins return as the ledger shows them, and those that no longer
   * exist leave the pool. `movedBy`: the transaction, the caller's or the sponsor's own, that moved them;
   * null: none. Throws `OutcomePending` when they have not moved and another executor has begun to move them
   * meanwhile.
   */
  async release(
    execution: Execution,
    quarantine: Quarantine,
    found: Pick<CoinsNow, 'haveMoved' | 'remaining'> & { readonly movedBy: string | null },
  ): Promise<void> {
    const { job, begun } = execution;
    const { haveMoved, remaining, movedBy } = found;
    const isExecuted = movedBy === job.digest;
    const gasCharged = movedBy === null ? 0n : sumOf(begun.coins) - sumOf(remaining);
    // Of its cost only the coins' loss is known.
    const gasUsed = {
      computationCost: '0',
      computationCostBurned: '0',
      storageCost: String(gasCharged),
      storageRebate: '0',
      nonRefundableStorageFee: '0',
    };
    const refused = haveMoved ? 'refused' : 'unmoved';
    const { settled } = await this.outcomes.end(execution, {
      outcome: isExecuted ? 'executed' : refused,
      returned: remaining,
      gasCharged,
      gasUsed: movedBy === null ? null : gasUsed,
      answer: isExecuted ? null : { kind: 'refused', message: describeRefusal(quarantine) },
    });
    if (!settled && !haveMoved) {
      throw new OutcomePending('Another executor moves the coins, or has ended the quarantine');
    }
    if (!settled) return;
    this.metrics.countGas(isExecuted ? 'execution' : 'quarantine', gasCharged);
    const outcome = isExecuted ? 'executed' : 'released';
    this.reportReleased(execution, { outcome, coins: remaining.length });
  }

  private reportReleased({ job }: Execution, end: { outcome: string; coins: number }): void {
    this.metrics.ends.add({ outcome: 'released', cause: 'had_moved' });
    this.logger.info({ ...job, ...end }, 'Quarantine ended');
  }
}

/** Whether a transaction is the sponsor's own that moved the coins of a quarantine on. */
function isMoveOf({ sender, gasPayment }: ExecutedTransaction, { job, begun }: Execution): boolean {
  const paid = new Set(gasPayment.map(({ objectId, version }) => `${objectId}@${version}`));
  return (
    sender === job.sponsor &&
    paid.size === begun.coins.length &&
    begun.coins.every(({ objectId, version }) => paid.has(`${objectId}@${version}`))
  );
}

function sumOf(coins: readonly GasCoin[]): bigint {
  return coins.reduce((sum, { balance }) => sum + balance, 0n);
}
