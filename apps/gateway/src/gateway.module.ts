import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { PlatformModule } from '@forecourt/runtime/platform';
import type { Service } from '@forecourt/runtime/service';
import { AccessModule } from './access/access.module.js';
import { AuthorizationModule } from './authorization/authorization.module.js';
import { CoinPoolClientModule } from './coin-pool/coin-pool-client.module.js';
import { NetworkOfPools } from './coin-pool/network-of-pools.js';
import { CompatibilityModule } from './compatibility/compatibility.module.js';
import { DryRunsModule } from './dry-runs/dry-runs.module.js';
import { ExecutionsModule } from './executions/executions.module.js';
import type { GatewayConfig } from './gateway-config.js';
import { GatewayConfigModule } from './gateway-config.module.js';
import { ErrorAnswerFilter } from './http/error-answer.filter.js';
import { UnansweredRequests } from './http/unanswered-requests.js';
import { InspectionModule } from './inspection/inspection.module.js';
import { LedgerEventsModule } from './ledger-events/ledger-events.module.js';
import { PausingModule } from './pausing/pausing.module.js';
import { ReservationsModule } from './reservations/reservations.module.js';
import { ServiceInfoModule } from './service-info/service-info.module.js';
import { SponsorsModule } from './sponsors/sponsors.module.js';

const ofCoinPools = {
  imports: [CoinPoolClientModule],
  inject: [NetworkOfPools],
  find: (network: NetworkOfPools) => network.find(),
};

@Module({})
export class GatewayModule {
  static forRoot(config: GatewayConfig, service: Service): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        PlatformModule.forRoot(service, config, { network: ofCoinPools, queueRetries: 1 }),
        GatewayConfigModule.forRoot(config),
        AccessModule,
        AuthorizationModule,
        PausingModule,
        InspectionModule,
        SponsorsModule,
        ReservationsModule,
        ExecutionsModule,
        DryRunsModule,
        LedgerEventsModule,
        ServiceInfoModule,
        CompatibilityModule,
      ],
      providers: [UnansweredRequests, { provide: APP_FILTER, useClass: ErrorAnswerFilter }],
    };
  }
}
