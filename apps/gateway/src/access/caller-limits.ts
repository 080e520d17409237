import { WindowCounter } from '@forecourt/admission';
import { retryAfterSecs } from '@forecourt/resilience';
import { Inject, Injectable } from '@nestjs/common';
import {
  type ErrorCode,
  ForecourtError,
  type QuarantineLimit,
  type ReservationLimits,
} from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

interface AskedReservation {
  readonly gasBudget: number;
  readonly durationSecs: number;
  readonly sponsor?: string | undefined;
}

/** The part of the pool that a caller may hold: the limits of its token, or else those of the configuration. */
@Injectable()
export class CallerLimits {
  constructor(@Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig) {}

  /** Throws INVALID_REQUEST beyond the operator's limits, and FORBIDDEN for a sponsor that the caller may not choose. */
  checkReservation({ sponsors }: Pick<Caller, 'sponsors'>, asked: AskedReservation): void {
    const { maxGasBudget, maxReserveDurationSecs } = this.config;
    const { gasBudget, durationSecs, sponsor } = asked;
    const problems = [
      describeExcess('gas_budget', gasBudget, maxGasBudget),
      describeExcess('reserve_duration_secs', durationSecs, maxReserveDurationSecs),
    ].filter((problem) => problem !== null);
    if (problems.length > 0) throw new ForecourtError('INVALID_REQUEST', problems.join('; '));
    if (sponsor === undefined || sponsors === 'any' || sponsors.includes(sponsor)) return;
    throw new ForecourtError('FORBIDDEN', `Token may not choose the sponsor ${sponsor}`);
  }

  /** The limits of the caller and, if it is one user of a token, those of all the token's users together. */
  reservationLimits({
    reservation,
    usersReservation,
    sender,
  }: Pick<Caller, 'reservation' | 'usersReservation' | 'sender'>): {
    readonly limits: ReservationLimits;
    readonly usersLimits?: ReservationLimits;
  } {
    const limits = this.complete(reservation);
    return sender === null ? { limits } : { limits, usersLimits: this.complete(usersReservation) };
  }

  quarantineLimit({ quarantine }: Pick<Caller, 'quarantine'>): QuarantineLimit {
    const { quarantineMax, quarantineWindowSecs } = this.config;
    return quarantine ?? { most: quarantineMax, windowMs: quarantineWindowSecs * 1_000 };
  }

  private complete(limits: Partial<ReservationLimits>): ReservationLimits {
    return {
      coins: this.config.reserveMaxCoins,
      budget: this.config.reserveMaxBudget,
      coinsPerMinute: null,
      budgetPerMinute: null,
      poolShare: this.config.reserveMaxPoolShare,
      unusedPerMinute: this.config.reserveMaxUnused,
      ...limits,
    };
  }
}

function describeExcess(field: string, value: number, max: number): string | null {
  return value <= max ? null : `${field} must be an integer from 1 to ${max}; got ${value}`;
}

/** Throws FORBIDDEN if a user's token is used for the transaction of another sender. */
export function requireOwnSender({ sender }: Pick<Caller, 'sender'>, actual: string): void {
  if (sender === null || sender === actual) return;
  throw new ForecourtError('FORBIDDEN', `Token is for transactions of ${sender} only`);
}

/** Counts the requests of each caller that has a rate limit, for the whole fleet. */
@Injectable()
export class RateLimits {
  readonly #counters = new Map<string, WindowCounter>();

  constructor(@Inject(REDIS) private readonly redis: RedisConnection) {}

  /** Counts a request. Resolves with RATE_LIMITED beyond the limit, STORE_UNREACHABLE when Redis cannot count, else null. */
  async count({ name, rateLimit }: Caller): Promise<ForecourtError | null> {
    if (rateLimit === null) return null;
    try {
      await consumeOrRefuse(this.counterOf(rateLimit), name, 'RATE_LIMITED');
      return null;
    } catch (cause) {
      if (cause instanceof ForecourtError) return cause;
      return new ForecourtError('STORE_UNREACHABLE', '', { cause });
    }
  }

  private counterOf({ requests, windowMs }: NonNullable<Caller['rateLimit']>): WindowCounter {
    const key = `${requests}/${windowMs}`;
    let counter = this.#counters.get(key);
    if (!counter) {
      const window = { most: requests, seconds: windowMs / 1_000 };
      counter = WindowCounter.inFleet(this.redis, `fc:rate:${key}`, window, 'throw');
      this.#counters.set(key, counter);
    }
    return counter;
  }
}

/** Counts so many events of `caller`. Throws an error with this code beyond the limit, and what the counter throws. */
export async function consumeOrRefuse(
  counter: Pick<WindowCounter, 'take'>,
  caller: string,
  code: ErrorCode,
  count = 1,
  detail = '',
): Promise<void> {
  const seconds = await counter.take(caller, count);
  if (seconds > 0) {
    throw new ForecourtError(code, detail, { retryAfterSecs: retryAfterSecs(seconds) });
  }
}
