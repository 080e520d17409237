import {
  type BegunClaim,
  type BegunExecution,
  beginExecutions,
  type CoinStoreRedis,
  deferExecution,
  excludeExecution,
  noteUnknown,
  paymentImpact,
  type PlacementRules,
  quarantineExecution,
  refuseExecution,
  requireReadablePool,
  type Settled,
  type Settlement,
  settleExecutions,
} from '@forecourt/coin-store';
import type {
  ExecuteTransactionJob,
  ExecutionOutcome,
  SettledResult,
  Waiter,
} from '@forecourt/contracts';
import { type GasCoin, sponsorCost, type TransactionEffects } from '@forecourt/ledger';
import { KeyedBatcher } from '@forecourt/runtime/async';
import type { Execution } from './execution.js';
import type { Submissions } from './submissions.js';

/** Most transactions in one script call, which bounds the time that a call keeps Redis busy. */
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

type ExecutedClaim = Pick<Execution, 'begun' | 'job' | 'submissions' | 'transaction'>;

interface QuarantineNote {
  readonly message: string;
  readonly epoch: bigint;
  readonly isExcused?: boolean;
  readonly movedOnBy?: string;
}

/**
 * An executor's steps in the coin store. Simultaneous steps of one kind share a script call. Every method throws
 * Redis's errors; `begin` and `settle` also `Error` when the stored state is invalid.
 */
export class ExecutionStore {
  private readonly begins: KeyedBatcher<BegunClaim, BegunExecution | null | Error>;
  private readonly settlements: KeyedBatcher<Settlement, Settled | Error>;

  /** `executor` names this process in the claims that it works on. */
  constructor(
    private readonly redis: CoinStoreRedis,
    private readonly executor: string,
    private readonly settings: { readonly rules: PlacementRules; readonly retentionMs: number },
  ) {
    this.begins = new KeyedBatcher(
      (sponsor, claims) => beginExecutions(redis, sponsor, executor, claims),
      MAX_BATCH,
    );
    this.settlements = new KeyedBatcher(
      (sponsor, settlements) => settleExecutions(redis, sponsor, settlements),
      MAX_BATCH,
    );
  }

  /** Throws `PoolTooNew`. */
  requireReadable(sponsor: string): Promise<void> {
    return requireReadablePool(this.redis, sponsor);
  }

  /** See `beginExecution` of the coin store. */
  async begin({ sponsor, reservationId, digest, fence }: ExecuteTransactionJob) {
    return orThrow(await this.begins.add(sponsor, { reservationId, digest, fence }));
  }

  /** See `noteUnknown` of the coin store. */
  noteUnknown({ job, submissions }: Execution, epoch: bigint | null): Promise<void> {
    const note = { epoch, submissions: submissions.takeAges() };
    return noteUnknown(this.redis, job.sponsor, this.executor, job, note);
  }

  /** Stores the submissions so far: the next one may be this process's last act. Never rejects: the next step stores them too. */
  async noteSubmissions({ job, submissions }: Pick<Execution, 'job' | 'submissions'>) {
    const ages = submissions.takeAges();
    const note = { epoch: null, submissions: ages };
    await noteUnknown(this.redis, job.sponsor, this.executor, job, note).catch(() =>
      submissions.giveBack(ages),
    );
  }

  /** See `settleExecution` of the coin store. `cost`: of the sponsor. */
  async settle(
    { job, begun, transaction, submissions }: ExecutedClaim,
    { gasUsed, status, answer, ...ending }: Ending,
  ): Promise<Settled & { readonly cost: bigint }> {
    const { sponsor, reservationId, digest, fence } = job;
    const { rules } = this.settings;
    const gasCoin: GasCoin | null = ending.returned[0] ?? null;
    const wear = paymentImpact(begun.coins, gasCoin, transaction.gasPrice, rules);
    const cost = gasUsed === null ? 0n : sponsorCost({ gasUsed }, wear);
    const settled = await this.settlements.add(sponsor, {
      ...ending,
      ...this.settings,
      reservationId,
      digest,
      cost,
      result: gasUsed && resultOf(gasUsed, status),
      submissions: submissions.takeAges(),
      ...(answer && { reply: { reservationId, digest, fence, outcome: answer } }),
    });
    return { ...orThrow(settled), cost };
  }

  /** See `refuseExecution` of the coin store. */
  refuse({ sponsor, ...job }: ExecuteTransactionJob, message: string, submitted?: Submissions) {
    const { retentionMs } = this.settings;
    const submissions = submitted?.takeAges();
    return refuseExecution(this.redis, sponsor, { ...job, message, retentionMs, submissions });
  }

  /** See `deferExecution` of the coin store. */
  defer(job: ExecuteTransactionJob): Promise<readonly Waiter[] | null> {
    return deferExecution(this.redis, job.sponsor, this.executor, job);
  }

  /** See `quarantineExecution` of the coin store. */
  quarantine({ job, submissions }: Execution, note: QuarantineNote) {
    const request = { ...job, ...note, submissions: submissions.takeAges() };
    return quarantineExecution(this.redis, job.sponsor, request);
  }

  /** See `excludeExecution` of the coin store. */
  exclude(job: ExecuteTransactionJob): Promise<readonly Waiter[] | null> {
    return excludeExecution(this.redis, job.sponsor, job);
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

function orThrow<T>(result: T | Error): T {
  if (result instanceof Error) throw result;
  return result;
}
