import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { PlatformModule } from '@forecourt/runtime/platform';
import type { Service } from '@forecourt/runtime/service';
import type { MessageClient } from '@forecourt/runtime/transport';
import { AccessModule } from './access/access.module.js';
import { CoinPoolClientModule } from './coin-pool/coin-pool-client.module.js';
import { CoinPoolClient } from './coin-pool/coin-pool-client.js';
import { CompatibilityListener } from './compatibility/compatibility-listener.js';
import { EventsProxy } from './events-proxy/events-proxy.js';
import type { GatewayConfig } from './gateway-config.js';
import { GatewayConfigModule } from './gateway-config.module.js';
import { SponsorshipRecordsModule } from './history/sponsorship-records.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { RefusalBounds } from './refusals/refusal-bounds.js';
import { RefusalRecorder } from './refusals/refusal-recorder.js';
import { RefusalStream } from './refusals/refusal-stream.js';
import { SponsoringModule } from './sponsoring/sponsoring.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { ErrorAnswerFilter } from './http/error-answer-filter.js';
import { UnansweredRequests } from './http/unanswered-requests.js';

const ofCoinPools = {
  inject: [CoinPoolClient],
  find: (coinPool: CoinPoolClient) => coinPool.network(),
};

/** Services in this process, which take the place of those that the configuration names. */
interface ServicesInProcess {
  readonly coinPool: MessageClient | undefined;
  readonly history: MessageClient | undefined;
}

@Module({})
export class GatewayModule {
  static forRoot(
    config: GatewayConfig,
    service: Service,
    { coinPool, history }: ServicesInProcess,
  ): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        PlatformModule.forRoot(service, config, { network: ofCoinPools }),
        GatewayConfigModule.forRoot(config),
        CoinPoolClientModule.forRoot(config, coinPool),
        AccessModule,
        SponsorshipRecordsModule.forRoot(config, history),
        OperationsModule,
        SponsoringModule,
        WebhooksModule,
      ],
      providers: [
        CompatibilityListener,
        EventsProxy,
        RefusalBounds,
        RefusalRecorder,
        RefusalStream,
        UnansweredRequests,
        { provide: APP_FILTER, useClass: ErrorAnswerFilter },
      ],
    };
  }
}
