import { Inject, Injectable } from '@nestjs/common';
import type { ReservedGas } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { AccessPolicy } from '../access/access-policy.js';
import { CallerLimits } from '../access/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { Pauses } from '../access/pauses.js';
import { ReleaseUnusedReservation } from './release-unused-reservation.js';
import { RememberedReservations } from './remembered-reservations.js';

/** What a caller asks for. */
export interface GasRequest {
  readonly requestId: string;
  /** In the smallest unit. */
  readonly gasBudget: number;
  readonly durationSecs: number;
  /** In full form; absent: the pool's first. */
  readonly sponsor?: string | undefined;
}

/** Reserves gas coins for a caller. */
@Injectable()
export class ReserveGas {
  constructor(
    private readonly coinPool: CoinPoolClient,
    private readonly accessPolicy: AccessPolicy,
    private readonly limits: CallerLimits,
    private readonly remembered: RememberedReservations,
    private readonly pauses: Pauses,
    private readonly releaseUnused: ReleaseUnusedReservation,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws PAUSED, STORE_UNREACHABLE, INVALID_REQUEST, FORBIDDEN, and what `CoinPoolClient.reserveGas` throws. */
  async run(caller: Caller, request: GasRequest): Promise<ReservedGas> {
    const { name, token } = caller;
    const { requestId, gasBudget, durationSecs, sponsor } = request;
    this.pauses.requireRunning({ token, sponsor });
    this.limits.checkReservation(caller, request);
    const subject = { caller: token, reservation: { gasBudget, durationSecs }, at: new Date() };
    this.accessPolicy.decideReservation(caller, subject, requestId);
    passFailpoint('gateway:before-reserve');
    const reserved = await this.coinPool.reserveGas({
      caller: name,
      gasBudget,
      durationSecs,
      ...this.limits.reservationLimits(caller),
      ...(sponsor !== undefined && { sponsor }),
    });
    passFailpoint('gateway:after-reserve');
    await this.requireSponsorRunning(caller, reserved, requestId);
    this.remember(name, reserved, request);
    const { reservationId, coins } = reserved;
    this.logger.debug(
      { requestId, caller: name, reservationId, coins: coins.length },
      'gas reserved',
    );
    return reserved;
  }

  /** Only now is it known which sponsor pays, if the caller has not chosen one. */
  private async requireSponsorRunning(
    { name, token }: Caller,
    { sponsor, reservationId }: ReservedGas,
    requestId: string,
  ): Promise<void> {
    try {
      this.pauses.requireRunning({ token, sponsor });
    } catch (error) {
      await this.releaseUnused.run({ caller: name, reservationId }, requestId);
      throw error;
    }
  }

  private remember(
    caller: string,
    { reservationId, sponsor, coins, mayLeaveDust }: ReservedGas,
    { gasBudget, durationSecs }: GasRequest,
  ): void {
    if (mayLeaveDust === undefined) return;
    this.remembered.add(caller, {
      reservationId,
      sponsor,
      coins,
      mayLeaveDust,
      gasBudget,
      durationSecs,
      state: 'reserved',
      digest: null,
      fence: 0,
      refusal: null,
    });
  }
}
