import { Controller, UseFilters, UsePipes } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  FindSponsorship,
  historyPatterns,
  type LatencyReport,
  ListRecords,
  ReadLatency,
  type RefusalPage,
  type Sponsorship,
  type SponsorshipPage,
  SumUsage,
  type UsageReport,
} from '@forecourt/contracts';
import { ReadMessage } from '@forecourt/runtime/transport';
import { HistoryErrorFilter } from './history-error.filter.js';
import { LatencyQueries } from './latency-queries.js';
import { RefusalQueries } from './refusal-queries.js';
import { SponsorshipQueries } from './sponsorship-queries.js';
import { UsageQueries } from './usage-queries.js';

/** The messages of gateways: one handler each. */
@Controller()
@UseFilters(HistoryErrorFilter)
@UsePipes(ReadMessage)
export class HistoryController {
  constructor(
    private readonly sponsorships: SponsorshipQueries,
    private readonly refusals: RefusalQueries,
    private readonly usage: UsageQueries,
    private readonly latency: LatencyQueries,
  ) {}

  @MessagePattern(historyPatterns.findSponsorship)
  async findSponsorship(
    @Payload() message: FindSponsorship,
  ): Promise<{ readonly sponsorship: Sponsorship | null }> {
    return { sponsorship: await this.sponsorships.find(message) };
  }

  @MessagePattern(historyPatterns.listSponsorships)
  listSponsorships(@Payload() message: ListRecords): Promise<SponsorshipPage> {
    return this.sponsorships.list(message);
  }

  @MessagePattern(historyPatterns.listRefusals)
  listRefusals(@Payload() message: ListRecords): Promise<RefusalPage> {
    return this.refusals.list(message);
  }

  @MessagePattern(historyPatterns.sumUsage)
  sumUsage(@Payload() message: SumUsage): Promise<UsageReport> {
    return this.usage.sum(message);
  }

  @MessagePattern(historyPatterns.readLatency)
  readLatency(@Payload() message: ReadLatency): Promise<LatencyReport> {
    return this.latency.read(message);
  }
}
