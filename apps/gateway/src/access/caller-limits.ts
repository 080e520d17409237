import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError, type QuarantineLimit, type ReservationLimits } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

/** A caller's request for gas coins. */
export interface GasRequest {
  /** In the smallest unit. */
  readonly gasBudget: number;
  readonly durationSecs: number;
  /** In full form; absent: the access rules choose, or the pool. */
  readonly sponsor?: string | undefined;
}

/**
 * The part of the pool that a caller may hold: the limits of its token, or else those of the configuration.
 */
@Injectable()
export class CallerLimits {
  constructor(@Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig) {}

  /**
   * Throws INVALID_REQUEST beyond the operator's limits, and FORBIDDEN for a sponsor that the caller may not
   * choose.
   */
  checkReservation({ sponsors }: Pick<Caller, 'sponsors'>, terms: GasRequest): void {
    const { maxGasBudget, maxReserveDurationSecs } = this.config;
    const { gasBudget, durationSecs, sponsor } = terms;
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
