import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { ClientProxy } from '@nestjs/microservices';
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
  inject: [CoinPoolClient],
  find: (coinPool: CoinPoolClient) => coinPool.network(),
};

@Module({})
export class GatewayModule {
  /** `coinPool`: the client of a coin-pool in this process, which takes the place of those that the configuration names. */
  static forRoot(config: GatewayConfig, service: Service, coinPool?: ClientProxy): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        PlatformModule.forRoot(service, config, { network: ofCoinPools }),
        GatewayConfigModule.forRoot(config),
        CoinPoolClientModule.forRoot(config, coinPool),
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
