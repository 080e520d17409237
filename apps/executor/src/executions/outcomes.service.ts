import {
  type BegunExecution,
  type CoinStoreRedis,
  deferExecution,
  paymentImpact,
  type PlacementRules,
  placementRules,
  refuseExecution,
  type Settled,
  type Settlement,
  settleExecutions,
} from '@forecourt/coin-store';
import {
  type ExecuteTransactionJob,
  type ExecutionOutcome,
  type ExecutionReply,
  executionReplyChannel,
  type SettledResult,
  type Waiter,
} from '@forecourt/contracts';
import {
  type DecodedTransaction,
  type GasCoin,
  type Ledger,
  paymentOf,
  settleFromEffects,
  type Signer,
  type SigningFailed,
  sponsorCost,
  type TransactionEffects,
} from '@forecourt/ledger';
import { KeyedBatcher } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { LEDGER } from '@forecourt/runtime/ledger';
import { listRecentObjects, RecentObjects } from '@forecourt/runtime/recent-objects';
import { type Logger, LOGGER, REDIS, ReplicaIdentity } from '@forecourt/runtime/service';
import { Inject, Injectable } from '@nestjs/common';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';

/** One claim that this executor works on. */
export interface Execution {
  readonly job: ExecuteTransactionJob;
  readonly begun: BegunExecution;
  /** Time of this process's request to Redis to begin it, on the clock of `performance.now()`. */
  readonly askedAt: number;
  readonly transaction: DecodedTransaction;
  readonly signer: Signer;
  readonly submissions: SubmissionTimes;
}

/** The times at which an execution was submitted, for history. */
export class SubmissionTimes {
  #times: number[] = [];

  /** A submission begins now. */
  note(): void {
    this.#times.push(performance.now());
  }

  /** How long ago each was made that was not taken before, in ms. */
  takeAges(): number[] {
    const now = performance.now();
    const ages = this.#times.map((time) => Math.round(now - time));
    this.#times = [];
    return ages;
  }

  /** Takes back ages that could not be stored. */
  giveBack(ages: readonly number[]): void {
    const now = performance.now();
    this.#times.unshift(...ages.map((age) => now - age));
  }
}

/** Most settlements in one script call, which bounds the time that a call keeps Redis busy. */
const MAX_BATCH = 16;

/** How an execution ended for its coins, its sponsor and its waiters. */
export interface Ending extends Pick<Settlement, 'gasCharged' | 'outcome' | 'returned'> {
  /** Decides the sponsor's cost; null: no cost. */
  readonly gasUsed: TransactionEffects['gasUsed'] | null;
  /** Of an executed transaction whose effects are known. */
  readonly status?: TransactionEffects['status'];
  /** Sent to the waiters in the same step; null: they learn nothing. */
  readonly answer: ExecutionOutcome | null;
}

/** Records the outcomes of transactions, which returns their coins, and answers the gateways that wait for them. */
@Injectable()
export class OutcomesService {
  readonly #rules: PlacementRules;
  readonly #settlements = new KeyedBatcher<Settlement, Settled | Error>(
    (sponsor, settlements) => settleExecutions(this.redis, sponsor, settlements),
    MAX_BATCH,
  );
  readonly #pendingLocal = new Set<Promise<void>>();

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER)
    private readonly ledger: Pick<Ledger, 'findTransaction' | 'waitForLocalExecution'>,
    @Inject(ReplicaIdentity) private readonly replica: Pick<ReplicaIdentity, 'id'>,
    @Inject(EXECUTOR_CONFIG)
    private readonly settings: Pick<
      ExecutorConfig,
      'localExecutionWaitMs' | 'poolTargetBalance' | 'retentionMs'
    >,
    @Inject(RecentObjects) private readonly recentObjects: Pick<RecentObjects, 'record'>,
    private readonly metrics: ExecutorMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#rules = placementRules(settings.poolTargetBalance);
  }

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
      this.end(execution, {
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
    this.followUp(job, waiters);
    passFailpoint('executor:after-reply');
  }

  /**
   * Ends an execution, see `settleExecution` of the coin store. Simultaneous calls share a script call. Returns the
   * sponsor's `cost` too. Throws `Error` when the stored state is invalid, and Redis's errors.
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
   * Refused for certain, by the ledger or this service's rules: the reservation can be used again, the waiters
   * receive the reason.
   */
  async refuse(
    job: ExecuteTransactionJob,
    message: string,
    cause: 'ledger' | 'rules',
    submissions?: SubmissionTimes,
  ): Promise<void> {
    const { refused, waiters } = await refuseExecution(this.redis, job.sponsor, {
      ...job,
      message,
      retentionMs: this.settings.retentionMs,
      submissions: submissions?.takeAges(),
    });
    if (!refused) return;
    passFailpoint('executor:after-refuse');
    this.metrics.ends.add({ outcome: 'refused', cause });
    this.logger.info({ ...job, outcome: 'refused', cause, message }, 'Transaction refused');
    await this.sendRefusal(job, waiters, message);
  }

  /** The sponsor's key cannot sign at the moment: the coins stay bound, and the waiters learn it. */
  async defer(job: ExecuteTransactionJob, { message, retryAfterMs }: SigningFailed): Promise<void> {
    const waiters = await deferExecution(this.redis, job.sponsor, this.replica.id, job);
    if (waiters === null) return;
    this.logger.debug({ ...job, error: message }, 'Transaction deferred: not signed');
    await this.sendUnsigned(job, waiters, Math.ceil(retryAfterMs / 1_000));
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

  /**
   * Call it once the waiters have the effects, which settling sends: those that requested it receive a second reply
   * when the node for reads shows the transaction.
   */
  followUp(job: ExecuteTransactionJob, waiters: readonly Waiter[]): void {
    const local = waiters.filter(({ requestType }) => requestType === 'waitForLocalExecution');
    if (local.length === 0) return;
    const waiting = this.sendWhenLocal(job, local);
    this.#pendingLocal.add(waiting);
    void waiting.finally(() => this.#pendingLocal.delete(waiting));
  }

  /** Sends the ledger's own message. */
  sendRefusal(
    job: ExecuteTransactionJob,
    waiters: readonly Waiter[],
    message: string,
  ): Promise<void> {
    return this.send(job, waiters, { kind: 'refused', message });
  }

  /** The transaction stays bound and is tried again, but no caller waits for its sponsor's key. */
  sendUnsigned(
    job: ExecuteTransactionJob,
    waiters: readonly Waiter[],
    retryAfterSecs: number,
  ): Promise<void> {
    return this.send(job, waiters, { kind: 'unsigned', retryAfterSecs });
  }

  /** Resolves when every pending reply has been sent. */
  async untilSent(): Promise<void> {
    await Promise.all(this.#pendingLocal);
  }

  private async sendWhenLocal(job: ExecuteTransactionJob, waiters: readonly Waiter[]) {
    await this.ledger.waitForLocalExecution(job.digest, this.settings.localExecutionWaitMs);
    await this.send(job, waiters, { kind: 'local' });
  }

  /** A reply that cannot be sent is logged: gateways also query the coin-pool. */
  private async send(
    { reservationId, digest, fence }: ExecuteTransactionJob,
    waiters: readonly Waiter[],
    outcome: ExecutionOutcome,
  ): Promise<void> {
    const reply: ExecutionReply = { reservationId, digest, fence, outcome };
    const text = JSON.stringify(reply);
    const gateways = new Set(waiters.map(({ gateway }) => gateway));
    try {
      await Promise.all(
        [...gateways].map((gateway) => this.redis.publish(executionReplyChannel(gateway), text)),
      );
    } catch (error) {
      this.logger.warn({ digest, error: String(error) }, 'Reply not sent: Redis did not take it');
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
