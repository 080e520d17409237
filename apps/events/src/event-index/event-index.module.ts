import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { Metrics } from '@forecourt/runtime/metrics';
import { type Logger, LOGGER, provideClass } from '@forecourt/runtime/service';
import { type EventsConfig, hasIndex } from '../config/events-config.js';
import { EventStream } from '../stream/event-stream.js';
import { StreamModule } from '../stream/stream.module.js';
import { PAST_EVENTS } from '../upstreams/past-events.js';
import { Upstreams } from '../upstreams/upstreams.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { assembleIndex, type IndexParts } from './assemble-index.js';
import { EventIndex } from './event-index.js';
import { INDEX_INDICATOR, indexIndicator } from './index-indicator.js';
import { IndexMetrics } from './index-metrics.js';
import { IndexedEvents } from './queries/indexed-events.js';

/** Injection token of `IndexParts`. */
const INDEX = Symbol('INDEX');

/** Where past events come from: the index in PostgreSQL or, without one, the nodes. */
@Global()
@Module({})
export class EventIndexModule {
  static with(config: EventsConfig): DynamicModule {
    return {
      module: EventIndexModule,
      imports: [UpstreamsModule, StreamModule],
      providers: hasIndex(config) ? provideIndex(config) : provideNodes(),
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
      inject: [Upstreams, EventStream, LOGGER],
      useFactory: ({ all }: Upstreams, stream: EventStream, logger: Logger) =>
        assembleIndex({ config, nodes: all, followed: () => stream.identity, logger }),
    },
    // A provider, so that it starts and stops with the service.
    { provide: EventIndex, inject: [INDEX], useFactory: ({ index }: IndexParts) => index },
    { provide: INDEX_INDICATOR, inject: [INDEX], useFactory: indexIndicator },
    provideClass(IndexMetrics, Metrics, INDEX, Upstreams),
    {
      provide: PAST_EVENTS,
      inject: [INDEX, LOGGER],
      useFactory: ({ queries }: IndexParts, logger: Logger) => new IndexedEvents(queries, logger),
    },
  ];
}
