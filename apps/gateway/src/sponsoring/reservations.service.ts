import { Inject, Injectable } from '@nestjs/common';
import {
  canonicalAddress,
  ForecourtError,
  type ReleaseReservationMessage,
  type ReservedGas,
  writeDecisionFacts,
} from '@forecourt/contracts';
import type { ReservationSubject } from '@forecourt/policy/access';
import type { Caller } from '@forecourt/policy/tokens';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { AccessPolicy } from '../access/access-policy.js';
import { CallerLimits, type GasRequest } from '../access/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { Pauses } from '../access/pauses.js';
import type { RefusedSubject } from '../http/refused-subject.js';

/** A request for sponsorship. */
export interface SponsoringCall {
  readonly requestId: string;
  readonly caller: Caller;
  /** History shows it if the request is refused. */
  readonly refusal: RefusedSubject;
}

const NO_TRANSACTION = { referenceGasPrice: null, largestCost: 0n, isOfAbstractAccount: false };

/** Reserves gas coins for callers, and releases them. */
@Injectable()
export class ReservationsService {
  constructor(
    private readonly coinPool: CoinPoolClient,
    private readonly accessPolicy: AccessPolicy,
    private readonly limits: CallerLimits,
    private readonly pauses: Pauses,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Throws PAUSED, STORE_UNREACHABLE, INVALID_REQUEST, FORBIDDEN, and the errors of
   * `CoinPoolClient.reserveGas`.
   */
  async reserve(call: SponsoringCall, gasRequest: GasRequest): Promise<ReservedGas> {
    const { caller, requestId, refusal } = call;
    const { name } = caller;
    const { gasBudget, durationSecs } = gasRequest;
    this.requireReservable(call, gasRequest);
    const subject = subjectOf(call, gasRequest);
    refusal.facts = writeDecisionFacts({ ...NO_TRANSACTION, gasBudget, durationSecs });
    const sponsorOfRules = this.accessPolicy.decideReservation(caller, subject, requestId, refusal);
    const sponsor = gasRequest.sponsor ?? sponsorOfRules;
    this.requireRunning(call, sponsor);
    passFailpoint('gateway:before-reserve');
    const reserved = await this.coinPool.reserveGas({
      caller: name,
      gasBudget,
      durationSecs,
      ...this.limits.reservationLimits(caller),
      ...(sponsor !== undefined && { sponsor }),
    });
    passFailpoint('gateway:after-reserve');
    const { reservationId, coins } = reserved;
    try {
      // Only the reply names the sponsor that pays, if the caller has not chosen one.
      this.requireRunning(call, reserved.sponsor);
    } catch (error) {
      await this.releaseUnused({ caller: name, reservationId }, requestId);
      throw error;
    }
    const fields = { requestId, caller: name, reservationId, coins: coins.length };
    this.logger.debug(fields, 'gas reserved');
    return reserved;
  }

  /**
   * Throws PAUSED, STORE_UNREACHABLE, INVALID_REQUEST, FORBIDDEN for a request that needs no coins to be
   * refused.
   */
  requireReservable(call: SponsoringCall, gasRequest: GasRequest): void {
    this.requireRunning(call, gasRequest.sponsor);
    this.limits.checkReservation(call.caller, gasRequest);
  }

  /**
   * The sponsor that would pay: the chosen one, the one that the access rules choose, or the pool's first.
   * Throws PAUSED, and the errors of `CoinPoolClient.readUsages`.
   */
  async findSponsor(call: SponsoringCall, gasRequest: GasRequest): Promise<string> {
    const sponsorOfRules = this.accessPolicy.findSponsor(call.caller, subjectOf(call, gasRequest));
    const chosen = gasRequest.sponsor ?? sponsorOfRules;
    const message = { counters: [], ...(chosen !== undefined && { sponsor: chosen }) };
    const { sponsor } = await this.coinPool.readUsages(message);
    this.requireRunning(call, sponsor);
    return sponsor;
  }

  /** Throws PAUSED, STORE_UNREACHABLE. */
  private requireRunning(
    { caller: { token }, refusal }: SponsoringCall,
    sponsor: string | undefined,
  ): void {
    if (sponsor !== undefined) refusal.sponsor = sponsor;
    this.pauses.requireRunning({ token, ...(sponsor !== undefined && { sponsor }) });
  }

  /** Returns whether this call has released the coins. Throws POOL_REFUSED, STORE_UNREACHABLE. */
  async release(message: ReleaseReservationMessage): Promise<boolean> {
    try {
      await this.coinPool.releaseReservation(message);
      return true;
    } catch (error) {
      if (error instanceof ForecourtError && error.code === 'RESERVATION_UNKNOWN') return false;
      throw error;
    }
  }

  /**
   * Releases a reservation that cannot be used, while its caller is refused. Never throws: otherwise it
   * expires at its deadline.
   */
  async releaseUnused(message: ReleaseReservationMessage, requestId: string): Promise<void> {
    try {
      await this.coinPool.releaseReservation(message);
    } catch (cause) {
      const { reservationId } = message;
      this.logger.warn(
        { requestId, reservationId, cause: String(cause) },
        'unusable reservation not released: it expires at its deadline',
      );
    }
  }
}

function subjectOf(
  { caller: { token } }: SponsoringCall,
  { gasBudget, durationSecs, sponsor }: GasRequest,
): ReservationSubject {
  return {
    caller: token,
    reservation: { gasBudget, durationSecs },
    time: new Date(),
    sponsor: sponsor ?? null,
  };
}

/** The sponsor that a request names, in full form; undefined if it names none. */
export function readSponsor(address: string | null | undefined): string | undefined {
  return address == null ? undefined : canonicalAddress(address)!;
}
