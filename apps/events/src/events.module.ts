import { type DynamicModule, Module } from '@nestjs/common';
import { HealthModule, type Service, ServiceModule } from '@forecourt/runtime/service';
import type { EventsConfig } from './config/events-config.js';
import { EventsConfigModule } from './config/events-config.module.js';
import { UpstreamHealthModule } from './health/upstream-health.module.js';
import { StreamIndicator } from './health/stream.indicator.js';
import { UpstreamIndicator } from './health/upstream.indicator.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { RpcModule } from './rpc/rpc.module.js';

/** Event queries and subscriptions over one or more ledger nodes. */
@Module({})
export class EventsModule {
  static with(config: EventsConfig, service: Service): DynamicModule {
    return {
      module: EventsModule,
      imports: [
        ServiceModule.forRoot(service),
        EventsConfigModule.with(config),
        RpcModule,
        MetricsModule,
        HealthModule.with({
          imports: [UpstreamHealthModule],
          inject: [StreamIndicator, UpstreamIndicator],
          indicators: (stream: StreamIndicator, upstream: UpstreamIndicator) => ({
            replica: [stream],
            dependencies: [upstream],
          }),
        }),
      ],
    };
  }
}
