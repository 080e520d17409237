import { Controller, UseFilters, UsePipes } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  CountSponsorships,
  FindSponsorship,
  historyPatterns,
  type LatencyReport,
  ListRecords,
  ReadLatency,
  ReadTraffic,
  type RefusalPage,
  type Sponsorship,
  type SponsorshipCountReply,
  type SponsorshipPage,
  SumUsage,
  type TrafficPageReply,
  TrafficPeriod,
  type UntriedCountReply,
  type UsageReport,
} from '@forecourt/contracts';
import { ReadMessage } from '@forecourt/runtime/transport';
import { FairAnswers } from '../database/fair-answers.js';
import { HistoryErrorFilter } from '../database/history-error.filter.js';
import { LatencyQueries } from './latency-queries.js';
import { RefusalQueries } from './refusal-queries.js';
import { SponsorshipQueries } from './sponsorship-queries.js';
import { TrafficQueries } from './traffic-queries.js';
import { UsageQueries } from './usage-queries.js';

/** The messages of gateways: one handler each. */
@Controller()
@UseFilters(HistoryErrorFilter)
@UsePipes(ReadMessage)
export class HistoryController {
  constructor(
    private readonly answers: FairAnswers,
    private readonly sponsorships: SponsorshipQueries,
    private readonly refusals: RefusalQueries,
    private readonly usage: UsageQueries,
    private readonly latency: LatencyQueries,
    private readonly traffic: TrafficQueries,
  ) {}

  @MessagePattern(historyPatterns.findSponsorship)
  async findSponsorship(
    @Payload() message: FindSponsorship,
  ): Promise<{ readonly sponsorship: Sponsorship | null }> {
    const find = () => this.sponsorships.find(message);
    return { sponsorship: await this.answers.answer(message.viewer, find) };
  }

  @MessagePattern(historyPatterns.listSponsorships)
  listSponsorships(@Payload() message: ListRecords): Promise<SponsorshipPage> {
    return this.answers.answer(message.viewer, () => this.sponsorships.list(message));
  }

  @MessagePattern(historyPatterns.countSponsorships)
  countSponsorships(@Payload() message: CountSponsorships): Promise<SponsorshipCountReply> {
    return this.answers.answer(message.viewer, () => this.sponsorships.count(message));
  }

  @MessagePattern(historyPatterns.listRefusals)
  listRefusals(@Payload() message: ListRecords): Promise<RefusalPage> {
    return this.answers.answer(message.viewer, () => this.refusals.list(message));
  }

  @MessagePattern(historyPatterns.sumUsage)
  sumUsage(@Payload() message: SumUsage): Promise<UsageReport> {
    return this.answers.answer(message.viewer, () => this.usage.sum(message));
  }

  @MessagePattern(historyPatterns.readLatency)
  readLatency(@Payload() message: ReadLatency): Promise<LatencyReport> {
    return this.answers.answer(message.viewer, () => this.latency.read(message));
  }

  @MessagePattern(historyPatterns.readTraffic)
  readTraffic(@Payload() message: ReadTraffic): Promise<TrafficPageReply> {
    return this.answers.answer(message.viewer, () => this.traffic.read(message));
  }

  @MessagePattern(historyPatterns.countUntried)
  countUntried(@Payload() message: TrafficPeriod): Promise<UntriedCountReply> {
    return this.answers.answer(message.viewer, () => this.traffic.countUntried(message));
  }
}
