import { type DynamicModule, Module } from '@nestjs/common';
import { Metrics } from '@forecourt/runtime/metrics';
import {
  HealthModule,
  type Logger,
  LOGGER,
  type Service,
  ServiceModule,
} from '@forecourt/runtime/service';
import { createParts } from './create-parts.js';
import { EVENTS_CONFIG, RPC_PARTS } from './events.tokens.js';
import type { EventsConfig } from './events-config.js';
import { upstreamIndicator } from './health/upstream-indicator.js';
import type { RpcParts } from './rpc/method-table.js';
import { RpcServer } from './rpc/rpc-server.js';

@Module({})
class PartsModule {}

/** Event queries and subscriptions, over one or more nodes. */
@Module({})
export class EventsModule {
  static with(config: EventsConfig, service: Service): DynamicModule {
    const parts: DynamicModule = {
      module: PartsModule,
      providers: [
        {
          provide: RPC_PARTS,
          inject: [Metrics, LOGGER],
          useFactory: (metrics: Metrics, logger: Logger) => createParts(config, metrics, logger),
        },
      ],
      exports: [RPC_PARTS],
    };
    return {
      module: EventsModule,
      imports: [
        ServiceModule.forRoot(service),
        parts,
        HealthModule.with({
          imports: [parts],
          inject: [RPC_PARTS],
          ready: ({ stream, upstreams }: RpcParts) => [upstreamIndicator(stream, upstreams)],
        }),
      ],
      providers: [{ provide: EVENTS_CONFIG, useValue: config }, RpcServer],
    };
  }
}
