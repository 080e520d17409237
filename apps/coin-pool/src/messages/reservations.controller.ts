import { Payload, MessagePattern } from '@nestjs/microservices';
import {
  type ClaimedReservation,
  ClaimReservationMessage,
  coinPoolPatterns,
  FindReservationMessage,
  type FindReservationReply,
  ReadUsagesMessage,
  type ReadUsagesReply,
  ReleaseReservationMessage,
  type ReservedGas,
  ReserveGasMessage,
} from '@forecourt/contracts';
import { ClaimsService } from './claims.service.js';
import { MessageController } from './message-controller.js';
import { PoolReservationsService } from './pool-reservations.service.js';
import { ReservingService } from './reserving.service.js';

/** The messages of gateways for the callers of reservations: one handler each. */
@MessageController()
export class ReservationsController {
  constructor(
    private readonly reserving: ReservingService,
    private readonly reservations: PoolReservationsService,
    private readonly claims: ClaimsService,
  ) {}

  @MessagePattern(coinPoolPatterns.reserveGas)
  reserveGas(@Payload() message: ReserveGasMessage): Promise<ReservedGas> {
    return this.reserving.reserve(message);
  }

  @MessagePattern(coinPoolPatterns.findReservation)
  findReservation(@Payload() message: FindReservationMessage): Promise<FindReservationReply> {
    return this.reservations.find(message);
  }

  @MessagePattern(coinPoolPatterns.claimReservation)
  claimReservation(@Payload() message: ClaimReservationMessage): Promise<ClaimedReservation> {
    return this.claims.claim(message);
  }

  @MessagePattern(coinPoolPatterns.enqueueClaim)
  enqueueClaim(@Payload() message: FindReservationMessage): Promise<void> {
    return this.claims.enqueueAgain(message);
  }

  @MessagePattern(coinPoolPatterns.releaseReservation)
  releaseReservation(@Payload() message: ReleaseReservationMessage): Promise<void> {
    return this.reservations.release(message);
  }

  @MessagePattern(coinPoolPatterns.readUsages)
  readUsages(@Payload() message: ReadUsagesMessage): Promise<ReadUsagesReply> {
    return this.reservations.readUsages(message);
  }
}
