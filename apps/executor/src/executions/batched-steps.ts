import {
  type BegunClaim,
  type BegunExecution,
  noteUnknown,
  beginExecutions,
  type CoinStoreRedis,
  type Settled,
  type Settlement,
  settleExecutions,
} from '@forecourt/coin-store';
import { KeyedBatcher } from '@forecourt/runtime/async';

/** Most transactions in one script call, which bounds the time that a call keeps Redis busy. */
const MAX_BATCH = 16;

/** Begins and settles executions; simultaneous calls of one kind share a script call. */
export class BatchedSteps {
  private readonly begins: KeyedBatcher<BegunClaim, BegunExecution | null | Error>;
  private readonly settlements: KeyedBatcher<Settlement, Settled | Error>;

  /** `executor` names this process in the claims that it works on. */
  constructor(
    private readonly redis: CoinStoreRedis,
    private readonly executor: string,
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

  /** See `beginExecution`. Throws `Error` when the stored state is invalid, and Redis's errors. */
  async begin(sponsor: string, claim: BegunClaim): Promise<BegunExecution | null> {
    return orThrow(await this.begins.add(sponsor, claim));
  }

  /** See `noteUnknown` of the coin store. Throws Redis's errors. */
  noteUnknown(sponsor: string, claim: BegunClaim, epoch: bigint): Promise<void> {
    return noteUnknown(this.redis, sponsor, this.executor, claim, epoch);
  }

  /** See `settleExecution`. Throws `Error` when the stored state is invalid, and Redis's errors. */
  async settle(sponsor: string, settlement: Settlement): Promise<Settled> {
    return orThrow(await this.settlements.add(sponsor, settlement));
  }
}

function orThrow<T>(result: T | Error): T {
  if (result instanceof Error) throw result;
  return result;
}
