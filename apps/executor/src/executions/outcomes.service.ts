import type { ExecuteTransactionJob } from '@forecourt/contracts';
import {
  type Ledger,
  listRecentObjects,
  paymentOf,
  settleFromEffects,
  type SigningFailed,
  type TransactionEffects,
} from '@forecourt/ledger';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { RecentObjects } from '@forecourt/runtime/recent-objects';
import type { Logger } from '@forecourt/runtime/service';
import type { ExecutorMetrics } from '../metrics/executor-metrics.js';
import type { Execution } from './execution.js';
import type { ExecutionStore } from './execution-store.js';
import type { RepliesService } from './replies.service.js';
import type { Submissions } from './submissions.js';

/** Records the outcomes of transactions, which returns their coins and answers the waiters. */
export class OutcomesService {
  constructor(
    private readonly store: ExecutionStore,
    private readonly ledger: Pick<Ledger, 'findTransaction'>,
    private readonly recentObjects: Pick<RecentObjects, 'record'>,
    private readonly replies: Pick<RepliesService, 'followUp' | 'sendRefusal' | 'sendUnsigned'>,
    private readonly metrics: ExecutorMetrics,
    private readonly logger: Logger,
  ) {}

  /**
   * Whether the ledger has executed the transaction; if so, it is settled. Throws the errors of the ledger and Redis.
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
   * The ledger has executed the transaction: the coin returns at its new version, and the waiters receive the effects
   * in the same step.
   */
  async settle(execution: Execution, effects: TransactionEffects): Promise<void> {
    const { job, begun } = execution;
    const { metrics } = this;
    const { gasCoin, gasCharged } = settleFromEffects(effects, begun.coins, job.sponsor);
    const recorded = this.recordChanges(execution, effects);
    passFailpoint('executor:before-settle');
    const { settled, waiters, cost } = await metrics.step('settle', () =>
      this.store.settle(execution, {
        outcome: 'executed',
        returned: gasCoin ? [gasCoin] : [],
        gasCharged,
        gasUsed: effects.gasUsed,
        status: effects.status,
        answer: { kind: 'executed', effects },
      }),
    );
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
    this.replies.followUp(job, waiters);
    passFailpoint('executor:after-reply');
  }

  /**
   * Refused for certain, by the ledger or this service's rules: the reservation can be used again, the waiters
   * receive the reason.
   */
  async refuse(
    job: ExecuteTransactionJob,
    message: string,
    cause: 'ledger' | 'rules',
    submissions?: Submissions,
  ): Promise<void> {
    const { refused, waiters } = await this.store.refuse(job, message, submissions);
    if (!refused) return;
    passFailpoint('executor:after-refuse');
    this.metrics.ends.add({ outcome: 'refused', cause });
    this.logger.info({ ...job, outcome: 'refused', cause, message }, 'Transaction refused');
    await this.replies.sendRefusal(job, waiters, message);
  }

  /** The sponsor's key cannot sign at the moment: the coins stay bound, and the waiters learn it. */
  async defer(job: ExecuteTransactionJob, { message, retryAfterMs }: SigningFailed): Promise<void> {
    const waiters = await this.store.defer(job);
    if (waiters === null) return;
    this.logger.debug({ ...job, error: message }, 'Transaction deferred: not signed');
    await this.replies.sendUnsigned(job, waiters, Math.ceil(retryAfterMs / 1_000));
  }

  /**
   * Records the objects in final effects for the fleet, before nodes that lag show them. Begins before the waiters
   * receive the outcome: their next transactions may use these objects at once. Never throws, since without a record
   * gateways wait for their node.
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
