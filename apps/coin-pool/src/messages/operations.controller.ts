import { Payload, MessagePattern } from '@nestjs/microservices';
import {
  coinPoolPatterns,
  DrainSponsorMessage,
  ExplainTransactionMessage,
  type ExplainTransactionReply,
  FindSponsorshipMessage,
  type FindSponsorshipReply,
  InspectPoolsMessage,
  type InspectPoolsReply,
  ListSponsorshipsMessage,
  type ListSponsorshipsReply,
  type ListSponsorsReply,
  UndrainSponsorMessage,
  WithdrawAmountMessage,
  WithdrawFundsMessage,
} from '@forecourt/contracts';
import { InspectionsService } from './inspections.service.js';
import { MessageController } from './message-controller.js';
import { PoolSponsorsService } from './pool-sponsors.service.js';
import { PoolSponsorshipsService } from './pool-sponsorships.service.js';

/** The messages of gateways about pools, sponsors and sponsorships: one handler each. */
@MessageController()
export class OperationsController {
  constructor(
    private readonly sponsors: PoolSponsorsService,
    private readonly inspections: InspectionsService,
    private readonly sponsorships: PoolSponsorshipsService,
  ) {}

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
  checkPool(): Promise<void> {
    return this.inspections.check();
  }

  @MessagePattern(coinPoolPatterns.drainSponsor)
  drainSponsor(@Payload() message: DrainSponsorMessage): Promise<void> {
    return this.sponsors.drain(message);
  }

  @MessagePattern(coinPoolPatterns.undrainSponsor)
  undrainSponsor(@Payload() message: UndrainSponsorMessage): Promise<void> {
    return this.sponsors.undrain(message);
  }

  @MessagePattern(coinPoolPatterns.withdrawFunds)
  withdrawFunds(@Payload() message: WithdrawFundsMessage): Promise<void> {
    return this.sponsors.withdraw(message);
  }

  @MessagePattern(coinPoolPatterns.checkWithdrawal)
  checkWithdrawal(@Payload() message: WithdrawFundsMessage): Promise<void> {
    return this.sponsors.checkWithdrawal(message);
  }

  @MessagePattern(coinPoolPatterns.withdrawAmount)
  withdrawAmount(@Payload() message: WithdrawAmountMessage): Promise<void> {
    return this.sponsors.withdraw(message);
  }

  @MessagePattern(coinPoolPatterns.checkWithdrawalOfAmount)
  checkWithdrawalOfAmount(@Payload() message: WithdrawAmountMessage): Promise<void> {
    return this.sponsors.checkWithdrawal(message);
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
}
