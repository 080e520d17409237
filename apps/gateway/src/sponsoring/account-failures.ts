import { WindowCounter } from '@forecourt/admission';
import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { gatewayLimits } from '@forecourt/resilience';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import { consumeOrRefuse } from '../access/consume-or-refuse.js';

/**
 * Failures of abstract accounts of one token: each may quarantine coins, or use the gas of its authenticator.
 */
export const MAX_FAILED = gatewayLimits.failedAccounts.default;
const FAILED_WINDOW_SECS = 3_600;
/** Detail of REFUSED_TOO_OFTEN. */
const TOO_MANY_FAILED = "of this token's transactions of abstract accounts have failed";

/** Bounds the transactions of abstract accounts of a caller that fail, for the whole fleet. */
@Injectable()
export class AccountFailures {
  readonly #failed: WindowCounter;

  constructor(@Inject(REDIS) redis: RedisConnection) {
    const failures = { most: MAX_FAILED, seconds: FAILED_WINDOW_SECS };
    this.#failed = new WindowCounter(redis, 'fc:rate:abstract', failures, 'throw');
  }

  /**
   * Counts a claim for a transaction of an abstract account as failed until `excuse` takes that back: only
   * its execution proves the contrary. Throws REFUSED_TOO_OFTEN beyond the limit, STORE_UNREACHABLE.
   */
  async suspect(caller: string): Promise<void> {
    try {
      await consumeOrRefuse(this.#failed, caller, 'REFUSED_TOO_OFTEN', 1, TOO_MANY_FAILED);
    } catch (cause) {
      if (cause instanceof ForecourtError) throw cause;
      throw new ForecourtError('STORE_UNREACHABLE', '', { cause });
    }
  }

  /** The transaction has succeeded, or is not bound to its reservation. */
  async excuse(caller: string): Promise<void> {
    // The limit is then a little stricter.
    await this.#failed.giveBack(caller).catch(() => undefined);
  }
}
