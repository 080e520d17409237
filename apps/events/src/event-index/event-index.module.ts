import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { type Logger, LOGGER, ReplicaIdentity } from '@forecourt/runtime/service';
import type { EventsConfig } from '../config/events-config.js';
import { EventStream } from '../stream/event-stream.js';
import { EventStreamModule } from '../stream/event-stream.module.js';
import { Upstreams } from '../upstreams/upstreams.js';
import { PAST_EVENTS } from '../upstreams/past-events.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { assembleIndex, INDEX, type IndexParts } from './assemble-index.js';
import { EventIndex } from './event-index.js';
import { IndexOperationsController } from './index-operations.controller.js';
import { INDEX_INDICATOR, indexIndicator, IndexMetrics } from './index-metrics.js';
import { IndexedEvents } from './indexed-events.js';

/** Where past events come from: the index in PostgreSQL or, without one, the nodes. */
@Global()
@Module({})
export class EventIndexModule {
  static forRoot(config: EventsConfig): DynamicModule {
    const hasIndex = config.databaseUrl !== '';
    return {
      module: EventIndexModule,
      imports: [UpstreamsModule, EventStreamModule],
      controllers: hasIndex ? [IndexOperationsController] : [],
      providers: hasIndex ? provideIndex(config) : provideNodes(),
      exports: [PAST_EVENTS, INDEX_INDICATOR],
    };
  }
}

function provideNodes(): Provider[] {
  return [
    { provide: PAST_EVENTS, useExisting: Upstreams },
    { provide: INDEX_INDICATOR, useValue: null },
  ];
}

function provideIndex(config: EventsConfig): Provider[] {
  return [
    {
      provide: INDEX,
      inject: [Upstreams, EventStream, ReplicaIdentity, LOGGER],
      useFactory: (
        { all }: Upstreams,
        stream: EventStream,
        { id: replica }: ReplicaIdentity,
        logger: Logger,
      ) => assembleIndex({ config, nodes: all, followed: () => stream.identity, replica, logger }),
    },
    // A provider, so that it starts and stops with the service.
    { provide: EventIndex, inject: [INDEX], useFactory: ({ index }: IndexParts) => index },
    { provide: INDEX_INDICATOR, inject: [INDEX], useFactory: indexIndicator },
    IndexMetrics,
    {
      provide: PAST_EVENTS,
      inject: [INDEX, LOGGER],
      useFactory: ({ queries }: IndexParts, logger: Logger) => new IndexedEvents(queries, logger),
    },
  ];
}
