import {
  type CoinStoreRedis,
  paymentImpact,
  type PlacementRules,
  placementRules,
  type Settled,
  settleExecutions,
  type Settlement,
} from '@forecourt/coin-store';
import { type ExecutionOutcome, type SettledResult } from '@forecourt/contracts';
import {
  type GasCoin,
  type Ledger,
  paymentOf,
  settleFromEffects,
  sponsorCost,
  type TransactionEffects,
} from '@forecourt/ledger';
import { KeyedBatcher } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { LEDGER } from '@forecourt/runtime/ledger';
import { listRecentObjects, RecentObjects } from '@forecourt/runtime/recent-objects';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Inject, Injectable } from '@nestjs/common';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import type { Execution } from './execution.js';
import { Replies } from './replies.js';

/** Most settlements in one script call, which bounds the time that a call keeps Redis busy. */
const MAX_BATCH = 16;

/** How an execution ended for its coins, its sponsor and its waiters. */
export interface Ending extends Pick<
  Settlement,
  'gasCharged' | 'outcome' | 'returned' | 'withheld'
> {
  /** Decides the sponsor's cost; null: no cost. */
  readonly gasUsed: TransactionEffects['gasUsed'] | null;
  /** Of an executed transaction whose effects are known. */
  readonly status?: TransactionEffects['status'];
  /** Sent to the waiters in the same step; null: it sends them nothing. */
  readonly answer: ExecutionOutcome | null;
}

/**
 * Records the outcomes of executed transactions, which returns their coins and answers the gateways that wait
 * for them.
 */
@Injectable()
export class OutcomesService {
  readonly #rules: PlacementRules;
  readonly #settlements = new KeyedBatcher<Settlement, Settled | Error>(
    (sponsor, settlements) => settleExecutions(this.redis, sponsor, settlements),
    MAX_BATCH,
  );

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(EXECUTOR_CONFIG) private readonly settings: ExecutorConfig,
    private readonly recentObjects: RecentObjects,
    private readonly replies: Replies,
    private readonly metrics: ExecutorMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#rules = placementRules(settings.poolTargetBalance);
  }

  /**
   * Whether the ledger has executed the transaction; if so, it is settled. Throws the errors of the ledger
   * and Redis.
   */
  async settleIfLanded(execution: Execution): Promise<boolean> {
    const { digest } = execution.job;
    const payment = paymentOf(execution.transaction);
    const find = () => this.ledger.findTransaction(digest, payment);
    const landed = await this.metrics.step('find', find);
    if (landed) await this.settle(execution, landed.effects);
    return landed !== null;
  }

  /**
   * The ledger has executed the transaction: the coin returns at its new version, and the waiters receive the
   * effects in the same step; if requests of this process are among them, right after it.
   */
  async settle(execution: Execution, effects: TransactionEffects): Promise<void> {
    const { job, begun } = execution;
    const { metrics } = this;
    const { gasCoin, gasCharged } = settleFromEffects(effects, begun.coins, job.sponsor);
    const recorded = this.recordChanges(execution, effects);
    // Effects for this process do not travel through Redis.
    const isAwaitedHere = this.replies.areAwaitedHere(job.digest);
    passFailpoint('executor:before-settle');
    const { settled, waiters, cost } = await metrics.step('settle', () =>
      this.end(execution, {
        outcome: 'executed',
        returned: gasCoin ? [gasCoin] : [],
        gasCharged,
        gasUsed: effects.gasUsed,
        status: effects.status,
        answer: isAwaitedHere ? null : { kind: 'executed', effects },
      }),
    );
    if (isAwaitedHere) await this.replies.sendEffects(job, waiters, effects);
    await recorded;
    if (!settled) return;
    passFailpoint('executor:after-settle');
    const cause = effects.status.status === 'success' ? 'success' : 'failure';
    metrics.ends.add({ outcome: 'executed', cause });
    metrics.countGas('execution', gasCharged);
    metrics.countCost(begun.caller, begun.rule, cost);
    const fields = {
      ...job,
      caller: begun.caller,
      outcome: 'executed',
      status: effects.status.status,
      gasCharged: String(gasCharged),
      cost: String(cost),
    };
    this.logger.info(fields, 'Transaction settled');
    const local = waiters.filter(({ requestType }) => requestType === 'waitForLocalExecution');
    if (local.length > 0) this.replies.followUp(job, local);
    passFailpoint('executor:after-reply');
  }

  /**
   * Ends an execution, see `settleExecutions` of the coin store. Simultaneous calls share a script call.
   * Returns the sponsor's `cost` too. Throws `Error` when the stored state is invalid, and Redis's errors.
   */
  async end(
    {
      job,
      begun,
      transaction,
      submissions,
    }: Pick<Execution, 'begun' | 'job' | 'submissions' | 'transaction'>,
    { gasUsed, status, answer, ...ending }: Ending,
  ): Promise<Settled & { readonly cost: bigint }> {
    const { sponsor, reservationId, digest, fence } = job;
    const rules = this.#rules;
    const gasCoin: GasCoin | null = ending.returned[0] ?? null;
    const impact = paymentImpact(begun.coins, gasCoin, transaction.gasPrice, rules);
    const cost = gasUsed === null ? 0n : sponsorCost({ gasUsed }, impact);
    const settled = await this.#settlements.add(sponsor, {
      ...ending,
      rules,
      retentionMs: this.settings.retentionMs,
      reservationId,
      digest,
      cost,
      result: gasUsed && resultOf(gasUsed, status),
      submissions: submissions.takeAges(),
      ...(answer && { reply: { reservationId, digest, fence, outcome: answer } }),
    });
    if (settled instanceof Error) throw settled;
    return { ...settled, cost };
  }

  /**
   * Records the objects in final effects for the fleet, before nodes that lag show them. Begins before the
   * waiters receive the outcome: their next transactions may use these objects at once. Never throws, since
   * without a record gateways wait for their node.
   */
  private async recordChanges(
    { job, transaction }: Execution,
    effects: TransactionEffects,
  ): Promise<void> {
    try {
      await this.recentObjects.record(listRecentObjects(effects, transaction));
    } catch (error) {
      this.logger.warn(
        { digest: job.digest, error: String(error) },
        'Changed objects not recorded: gateways will wait for their node to show them',
      );
    }
  }
}

/** Outcome and gas of a settled transaction, for history. */
function resultOf(
  gasUsed: TransactionEffects['gasUsed'],
  status: TransactionEffects['status'] | undefined,
): SettledResult {
  const isSuccess = status?.status === 'success';
  return {
    outcome: status ? (isSuccess ? 'success' : 'failure') : null,
    ...(status?.error !== undefined && { failure: status.error }),
    computation: gasUsed.computationCost,
    storage: gasUsed.storageCost,
    rebate: gasUsed.storageRebate,
  };
}
