import { Controller, UseFilters, UseInterceptors, UsePipes } from '@nestjs/common';
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
  InspectPoolsMessage,
  type InspectPoolsReply,
  type ListSponsorsReply,
  ReadUsagesMessage,
  type ReadUsagesReply,
  ReleaseReservationMessage,
  type ReservedGas,
  ReserveGasMessage,
  UndrainSponsorMessage,
  WithdrawFundsMessage,
} from '@forecourt/contracts';
import { CheckPool } from './check-pool.js';
import { ClaimReservation } from './claim-reservation.js';
import { DrainSponsor } from './drain-sponsor.js';
import { ErrorMessageFilter } from './error-message.filter.js';
import { ExplainTransaction } from './explain-transaction.js';
import { FindReservation } from './find-reservation.js';
import { InspectPools } from './inspect-pools.js';
import { ListSponsors } from './list-sponsors.js';
import { MessagesInFlight } from './messages-in-flight.js';
import { ReadMessage } from './read-message.pipe.js';
import { ReadUsages } from './read-usages.js';
import { ReleaseReservation } from './release-reservation.js';
import { ReserveGas } from './reserve-gas.js';
import { UndrainSponsor } from './undrain-sponsor.js';
import { WithdrawFunds } from './withdraw-funds.js';

/** Every message gateways send, one handler each. */
@Controller()
@UseFilters(ErrorMessageFilter)
@UseInterceptors(MessagesInFlight)
@UsePipes(ReadMessage)
export class CoinPoolController {
  constructor(
    private readonly reserve: ReserveGas,
    private readonly find: FindReservation,
    private readonly claim: ClaimReservation,
    private readonly release: ReleaseReservation,
    private readonly usages: ReadUsages,
    private readonly inspect: InspectPools,
    private readonly explain: ExplainTransaction,
    private readonly check: CheckPool,
    private readonly drain: DrainSponsor,
    private readonly undrain: UndrainSponsor,
    private readonly withdraw: WithdrawFunds,
    private readonly list: ListSponsors,
  ) {}

  @MessagePattern(coinPoolPatterns.reserveGas)
  reserveGas(@Payload() message: ReserveGasMessage): Promise<ReservedGas> {
    return this.reserve.run(message);
  }

  @MessagePattern(coinPoolPatterns.findReservation)
  findReservation(@Payload() message: FindReservationMessage): Promise<FindReservationReply> {
    return this.find.run(message);
  }

  @MessagePattern(coinPoolPatterns.claimReservation)
  claimReservation(@Payload() message: ClaimReservationMessage): Promise<ClaimedReservation> {
    return this.claim.run(message);
  }

  @MessagePattern(coinPoolPatterns.releaseReservation)
  async releaseReservation(@Payload() message: ReleaseReservationMessage): Promise<object> {
    await this.release.run(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.readUsages)
  readUsages(@Payload() message: ReadUsagesMessage): Promise<ReadUsagesReply> {
    return this.usages.run(message);
  }

  @MessagePattern(coinPoolPatterns.inspectPools)
  inspectPools(@Payload() message: InspectPoolsMessage): Promise<InspectPoolsReply> {
    return this.inspect.run(message);
  }

  @MessagePattern(coinPoolPatterns.explainTransaction)
  explainTransaction(
    @Payload() message: ExplainTransactionMessage,
  ): Promise<ExplainTransactionReply> {
    return this.explain.run(message);
  }

  @MessagePattern(coinPoolPatterns.checkPool)
  async checkPool(): Promise<object> {
    await this.check.run();
    return {};
  }

  @MessagePattern(coinPoolPatterns.drainSponsor)
  async drainSponsor(@Payload() message: DrainSponsorMessage): Promise<object> {
    await this.drain.run(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.undrainSponsor)
  async undrainSponsor(@Payload() message: UndrainSponsorMessage): Promise<object> {
    await this.undrain.run(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.withdrawFunds)
  async withdrawFunds(@Payload() message: WithdrawFundsMessage): Promise<object> {
    await this.withdraw.run(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.checkWithdrawal)
  async checkWithdrawal(@Payload() message: WithdrawFundsMessage): Promise<object> {
    await this.withdraw.check(message);
    return {};
  }

  @MessagePattern(coinPoolPatterns.listSponsors)
  listSponsors(): Promise<ListSponsorsReply> {
    return this.list.run();
  }
}
