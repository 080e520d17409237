import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { PlatformModule } from '@forecourt/runtime/platform';
import type { Service } from '@forecourt/runtime/service';
import { AccessModule } from './access/access.module.js';
import { CoinPoolClientModule } from './coin-pool/coin-pool-client.module.js';
import { CoinPoolClient } from './coin-pool/coin-pool-client.js';
import { CompatibilityListener } from './compatibility/compatibility-listener.js';
import { EventsProxy } from './events-proxy/events-proxy.js';
import type { GatewayConfig } from './gateway-config.js';
import { GatewayConfigModule } from './gateway-config.module.js';
import { UnansweredRequests } from './http/answer-error.js';
import { ErrorAnswerFilter } from './http/error-answer.filter.js';
import { OperationsModule } from './operations/operations.module.js';
import { SponsoringModule } from './sponsoring/sponsoring.module.js';

const ofCoinPools = {
  imports: [CoinPoolClientModule],
  inject: [CoinPoolClient],
  find: (coinPool: CoinPoolClient) => coinPool.network(),
};

@Module({})
export class GatewayModule {
  static forRoot(config: GatewayConfig, service: Service): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        PlatformModule.forRoot(service, config, { network: ofCoinPools }),
        GatewayConfigModule.forRoot(config),
        AccessModule,
        OperationsModule,
        SponsoringModule,
      ],
      providers: [
        CompatibilityListener,
        EventsProxy,
        UnansweredRequests,
        { provide: APP_FILTER, useClass: ErrorAnswerFilter },
      ],
    };
  }
}
