import { Module } from '@nestjs/common';
import { HistoryController } from './history.controller.js';
import { LatencyQueries } from './latency-queries.js';
import { RefusalQueries } from './refusal-queries.js';
import { SponsorshipQueries } from './sponsorship-queries.js';
import { UsageQueries } from './usage-queries.js';

/** Answers gateways. */
@Module({
  controllers: [HistoryController],
  providers: [SponsorshipQueries, RefusalQueries, UsageQueries, LatencyQueries],
})
export class QueriesModule {}
