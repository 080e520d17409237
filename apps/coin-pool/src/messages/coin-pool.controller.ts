import { Controller, Inject, UseFilters, UseInterceptors } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  type ClaimedReservation,
  type ClaimReservationMessage,
  coinPoolPatterns,
  type FindReservationMessage,
  type FindReservationReply,
  type ReleaseReservationMessage,
  type ReservedGas,
  type ReserveGasMessage,
} from '@forecourt/contracts';
import type { PoolParts } from '../pool/pool-parts.js';
import { POOL_PARTS } from '../pool/pool-parts.token.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';
import { CheckPool } from './check-pool.js';
import { claimReservation } from './claim-reservation.js';
import { ErrorMessageFilter } from './error-message.filter.js';
import { findReservation } from './find-reservation.js';
import { MessagesInFlight } from './messages-in-flight.js';
import { releaseReservation } from './release-reservation.js';
import { ReserveGas } from './reserve-gas.js';

/** Every message gateways send, one handler each. */
@Controller()
@UseFilters(ErrorMessageFilter)
@UseInterceptors(MessagesInFlight)
export class CoinPoolController {
  private readonly directory: SponsorDirectory;
  private readonly reserving: ReserveGas;
  private readonly checking: CheckPool;

  constructor(@Inject(POOL_PARTS) private readonly parts: PoolParts) {
    this.directory = new SponsorDirectory(parts.redis);
    this.reserving = new ReserveGas(parts);
    this.checking = new CheckPool(parts);
  }

  @MessagePattern(coinPoolPatterns.reserveGas)
  reserveGas(@Payload() message: ReserveGasMessage): Promise<ReservedGas> {
    return this.reserving.run(message);
  }

  @MessagePattern(coinPoolPatterns.findReservation)
  findReservation(@Payload() message: FindReservationMessage): Promise<FindReservationReply> {
    return findReservation(this.parts, this.directory, message);
  }

  @MessagePattern(coinPoolPatterns.claimReservation)
  claimReservation(@Payload() message: ClaimReservationMessage): Promise<ClaimedReservation> {
    return claimReservation(this.parts, this.directory, message);
  }

  @MessagePattern(coinPoolPatterns.releaseReservation)
  async releaseReservation(@Payload() message: ReleaseReservationMessage): Promise<object> {
    await releaseReservation(this.parts, this.directory, message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.checkPool)
  async checkPool(): Promise<object> {
    await this.checking.run();
    return {};
  }
}
