import { type DynamicModule, Module } from '@nestjs/common';
import type { MessageClient } from '@forecourt/runtime/transport';
import type { GatewayConfig } from '../gateway-config.js';
import { SponsoringModule } from '../sponsoring/sponsoring.module.js';
import { DecisionsController } from './decisions.controller.js';
import { HistoryClient } from './history-client.js';
import { LatencyController } from './latency.controller.js';
import { OutcomeWaits } from './outcome-waits.js';
import { RefusalsController } from './refusals.controller.js';
import { SponsorshipsController } from './sponsorships.controller.js';
import { SponsorshipsService } from './sponsorships.service.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

/** The routes that show what was sponsored and refused, and at what cost; and the client of history. */
@Module({})
export class SponsorshipRecordsModule {
  /** `local`: the client of history in this process. */
  static forRoot(config: GatewayConfig, local?: MessageClient): DynamicModule {
    return {
      module: SponsorshipRecordsModule,
      global: true,
      imports: [SponsoringModule],
      controllers: [
        SponsorshipsController,
        RefusalsController,
        DecisionsController,
        UsageController,
        LatencyController,
      ],
      providers: [
        OutcomeWaits,
        SponsorshipsService,
        UsageService,
        { provide: HistoryClient, useFactory: () => new HistoryClient(config, local) },
      ],
      exports: [HistoryClient],
    };
  }
}
