import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import {
  type CallHandler,
  Catch,
  Controller,
  Inject,
  Injectable,
  type NestInterceptor,
  UseFilters,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  type ClaimedReservation,
  ClaimReservationMessage,
  coinPoolPatterns,
  DrainSponsorMessage,
  ExplainTransactionMessage,
  type ExplainTransactionReply,
  FindReservationMessage,
  type FindReservationReply,
  FindSponsorshipMessage,
  type FindSponsorshipReply,
  ForecourtError,
  InspectPoolsMessage,
  type InspectPoolsReply,
  ListSponsorshipsMessage,
  type ListSponsorshipsReply,
  type ListSponsorsReply,
  ReadChangesMessage,
  type ReadChangesReply,
  ReadUsagesMessage,
  type ReadUsagesReply,
  ReleaseReservationMessage,
  type ReservedGas,
  ReserveGasMessage,
  UndrainSponsorMessage,
  WithdrawAmountMessage,
  WithdrawFundsMessage,
} from '@forecourt/contracts';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { ErrorMessageFilter, ReadMessage } from '@forecourt/runtime/transport';
import { defer, finalize, type Observable, throwError } from 'rxjs';
import { ClaimsService } from './claims.service.js';
import { InspectionsService } from './inspections.service.js';
import { PoolReservationsService } from './pool-reservations.service.js';
import { PoolSponsorsService } from './pool-sponsors.service.js';
import { PoolSponsorshipsService } from './pool-sponsorships.service.js';

/** Long enough for every busy gateway to send one message and be referred to another replica. */
const REFUSING_MS = 250;

/** Counts the messages that are being answered, so that the service can end after the last of them. */
@Injectable()
export class MessagesInFlight implements NestInterceptor {
  #count = 0;
  readonly #none = Promise.withResolvers<void>();
  #ending = false;

  intercept(_context: unknown, next: CallHandler): Observable<unknown> {
    // The message had no effect: the gateway may use another replica.
    if (this.#ending) {
      return throwError(() => new ForecourtError('POOL_REFUSED', 'shutting down'));
    }
    return defer(() => {
      this.#count += 1;
      return next.handle();
    }).pipe(finalize(() => this.answered()));
  }

  /** Refuses every further message; resolves once the gateways know and all earlier messages are answered. */
  async finish(): Promise<void> {
    this.#ending = true;
    await delay(REFUSING_MS);
    if (this.#count === 0) this.#none.resolve();
    await this.#none.promise;
    // Answers are sent at the end of their turn, which may follow the code above.
    await nextTurn();
    await nextTurn();
  }

  private answered(): void {
    this.#count -= 1;
    if (this.#ending && this.#count === 0) this.#none.resolve();
  }
}

/** Any error outside of the table is an outage of Redis, or a bug. */
@Catch()
export class CoinPoolErrorFilter extends ErrorMessageFilter {
  constructor(@Inject(LOGGER) logger: Logger) {
    super(logger, 'STORE_UNREACHABLE');
  }
}

/** The messages of gateways: one handler each. */
@Controller()
@UseFilters(CoinPoolErrorFilter)
@UseInterceptors(MessagesInFlight)
@UsePipes(ReadMessage)
export class CoinPoolController {
  constructor(
    private readonly reservations: PoolReservationsService,
    private readonly claims: ClaimsService,
    private readonly sponsors: PoolSponsorsService,
    private readonly inspections: InspectionsService,
    private readonly sponsorships: PoolSponsorshipsService,
  ) {}

  @MessagePattern(coinPoolPatterns.reserveGas)
  reserveGas(@Payload() message: ReserveGasMessage): Promise<ReservedGas> {
    return this.reservations.reserve(message);
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
  async enqueueClaim(@Payload() message: FindReservationMessage): Promise<object> {
    await this.claims.enqueueAgain(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.releaseReservation)
  async releaseReservation(@Payload() message: ReleaseReservationMessage): Promise<object> {
    await this.reservations.release(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.readUsages)
  readUsages(@Payload() message: ReadUsagesMessage): Promise<ReadUsagesReply> {
    return this.reservations.readUsages(message);
  }

  @MessagePattern(coinPoolPatterns.inspectPools)
  inspectPools(@Payload() message: InspectPoolsMessage): Promise<InspectPoolsReply> {
    return this.inspections.inspect(message);
  }

  @MessagePattern(coinPoolPatterns.explainTransaction)
  explainTransaction(
    @Payload() message: ExplainTransactionMessage,
  ): Promise<ExplainTransactionReply> {
    return this.inspections.explain(message);
  }

  @MessagePattern(coinPoolPatterns.checkPool)
  async checkPool(): Promise<object> {
    await this.inspections.check();
    return {};
  }

  @MessagePattern(coinPoolPatterns.drainSponsor)
  async drainSponsor(@Payload() message: DrainSponsorMessage): Promise<object> {
    await this.sponsors.drain(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.undrainSponsor)
  async undrainSponsor(@Payload() message: UndrainSponsorMessage): Promise<object> {
    await this.sponsors.undrain(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.withdrawFunds)
  async withdrawFunds(@Payload() message: WithdrawFundsMessage): Promise<object> {
    await this.sponsors.withdraw(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.checkWithdrawal)
  async checkWithdrawal(@Payload() message: WithdrawFundsMessage): Promise<object> {
    await this.sponsors.checkWithdrawal(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.withdrawAmount)
  async withdrawAmount(@Payload() message: WithdrawAmountMessage): Promise<object> {
    await this.sponsors.withdraw(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.checkWithdrawalOfAmount)
  async checkWithdrawalOfAmount(@Payload() message: WithdrawAmountMessage): Promise<object> {
    await this.sponsors.checkWithdrawal(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.listSponsors)
  listSponsors(): Promise<ListSponsorsReply> {
    return this.sponsors.list();
  }

  @MessagePattern(coinPoolPatterns.findSponsorship)
  findSponsorship(@Payload() message: FindSponsorshipMessage): Promise<FindSponsorshipReply> {
    return this.sponsorships.find(message);
  }

  @MessagePattern(coinPoolPatterns.listSponsorships)
  listSponsorships(@Payload() message: ListSponsorshipsMessage): Promise<ListSponsorshipsReply> {
    return this.sponsorships.list(message);
  }

  @MessagePattern(coinPoolPatterns.readChanges)
  readChanges(@Payload() message: ReadChangesMessage): Promise<ReadChangesReply> {
    return this.sponsorships.readChanges(message);
  }
}
