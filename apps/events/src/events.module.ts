import { type DynamicModule, Module } from '@nestjs/common';
import {
  HealthModule,
  type Indicator,
  type Service,
  ServiceModule,
} from '@forecourt/runtime/service';
import { INDEX_INDICATOR } from './event-index/index-metrics.js';
import { EventIndexModule } from './event-index/event-index.module.js';
import type { EventsConfig } from './config/events-config.js';
import { EventsConfigModule } from './config/events-config.module.js';
import { EventsMetrics } from './events-metrics.js';
import { ReplicaController } from './replica.controller.js';
import { RpcModule } from './rpc/rpc.module.js';
import { UpstreamIndicator } from './stream/upstream.indicator.js';
import { StreamIndicator } from './stream/stream.indicator.js';
import { EventStreamModule } from './stream/event-stream.module.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';
import { UpstreamsModule } from './upstreams/upstreams.module.js';

/** Event queries and subscriptions over one or more ledger nodes. */
@Module({})
export class EventsModule {
  static forRoot(config: EventsConfig, service: Service): DynamicModule {
    return {
      module: EventsModule,
      imports: [
        ServiceModule.forRoot(service),
        EventsConfigModule.forRoot(config),
        EventIndexModule.forRoot(config),
        UpstreamsModule,
        EventStreamModule,
        SubscriptionsModule,
        RpcModule,
        HealthModule.with({
          imports: [EventStreamModule],
          inject: [StreamIndicator, UpstreamIndicator, INDEX_INDICATOR],
          indicators: (
            stream: StreamIndicator,
            upstream: UpstreamIndicator,
            index: Indicator | null,
          ) => ({
            replica: [stream],
            dependencies: index === null ? [upstream] : [upstream, index],
          }),
        }),
      ],
      controllers: [ReplicaController],
      providers: [EventsMetrics],
    };
  }
}
