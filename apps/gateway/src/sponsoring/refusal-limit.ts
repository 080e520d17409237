import { WindowCounter } from '@forecourt/admission';
import { Inject, Injectable } from '@nestjs/common';
import { type ErrorCode, ForecourtError } from '@forecourt/contracts';
import { gatewayLimits } from '@forecourt/resilience';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import { LRUCache } from 'lru-cache';
import { consumeOrRefuse } from '../access/consume-or-refuse.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

/** Refusals that a caller can cause again and again, each after a look-up on the ledger. */
export const AFTER_LOOK_UP: ReadonlySet<ErrorCode> = new Set([
  'ACCESS_UNDECIDED',
  'FORBIDDEN',
  'GAS_PRICE_TOO_HIGH',
  'INPUT_IN_FLIGHT',
  'PAUSED',
  'QUARANTINE_LIMIT',
  'REQUEST_LIMIT',
  'SIGNATURE_UNSUPPORTED',
  'SPENDING_LIMIT',
]);

/** A refusal that has cost a decision. Other refusals by rules end with a limit's window. */
export const WITHOUT_LOOK_UP: ReadonlySet<ErrorCode> = new Set(['FORBIDDEN']);

/** A refusal by validators has cost a signature and a submission. */
export const AFTER_SUBMISSION: ReadonlySet<ErrorCode> = new Set(['REFUSED_BY_LEDGER']);

/** Details of REFUSED_TOO_OFTEN. */
export const TOO_MANY_REJECTED = "of this token's transactions were rejected by the ledger";
export const TOO_MANY_CHECKED = 'transactions are being checked for this reservation';
const TOO_MANY_FAILED = "of this token's transactions of abstract accounts have failed";

const WINDOW_SECS = 60;
/** Each failure of an abstract account may quarantine coins, or use the gas of its authenticator. */
const FAILURES = { most: gatewayLimits.failedAccounts.default, seconds: 3_600 };
const MAX_BLOCKED = 10_000;

/**
 * Bounds the transactions of a caller that the ledger refuses, or whose inputs it does not show, for the
 * whole fleet: each of them costs reads at a node without effect. A caller beyond the bound is refused until
 * its window ends. Each gateway learns of it with the next refusal that it counts, so that calls within the
 * bound never wait for Redis. Transactions of abstract accounts that fail have a separate bound.
 */
@Injectable()
export class RefusalLimit {
  readonly #counter: WindowCounter;
  readonly #failed: WindowCounter;
  /** Callers beyond their bound, until their windows end. */
  readonly #blocked = new LRUCache<string, true>({ max: MAX_BLOCKED, ttlResolution: 0 });

  constructor(
    @Inject(REDIS) redis: RedisConnection,
    @Inject(GATEWAY_CONFIG) { maxRefusedExecutions }: GatewayConfig,
  ) {
    const window = { most: maxRefusedExecutions, seconds: WINDOW_SECS };
    this.#counter = new WindowCounter(redis, 'fc:refused', window, 'count alone');
    this.#failed = new WindowCounter(redis, 'fc:rate:abstract', FAILURES, 'throw');
  }

  /** Throws REFUSED_TOO_OFTEN while the caller is beyond its bound. */
  requireRoom(caller: string): void {
    const leftMs = this.#blocked.getRemainingTTL(caller);
    if (leftMs <= 0) return;
    const retryAfterSecs = Math.ceil(leftMs / 1_000);
    throw new ForecourtError('REFUSED_TOO_OFTEN', TOO_MANY_REJECTED, { retryAfterSecs });
  }

  /** Counts a refusal. */
  async count(caller: string): Promise<void> {
    const seconds = await this.#counter.take(caller);
    if (seconds > 0) this.#blocked.set(caller, true, { ttl: 1_000 * seconds });
  }

  /** Returns the result of `run`, and throws its error, which it counts if that has one of these codes. */
  async counting<T>(
    caller: string,
    codes: ReadonlySet<ErrorCode>,
    run: () => T | Promise<T>,
  ): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof ForecourtError && codes.has(error.code)) await this.count(caller);
      throw error;
    }
  }

  /** Reverts a count. */
  async uncount(caller: string): Promise<void> {
    await this.#counter.giveBack(caller);
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
