import { Module } from '@nestjs/common';
import { provideClass } from '@forecourt/runtime/service';
import { Database } from '../database/database.js';
import { Partitions } from '../database/partitions.js';
import { HistoryController } from './history.controller.js';
import { LatencyQueries } from './latency-queries.js';
import { RefusalQueries } from './refusal-queries.js';
import { SponsorshipQueries } from './sponsorship-queries.js';
import { UsageQueries } from './usage-queries.js';

/** Answers gateways. */
@Module({
  controllers: [HistoryController],
  providers: [
    provideClass(SponsorshipQueries, Database, Partitions),
    provideClass(RefusalQueries, Database, Partitions),
    provideClass(UsageQueries, Database, Partitions),
    provideClass(LatencyQueries, Database),
  ],
})
export class QueriesModule {}
