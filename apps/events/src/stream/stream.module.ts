import { Module } from '@nestjs/common';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { Upstreams } from '../upstreams/upstreams.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { EventStream } from './event-stream.js';
import { StreamIndicator, UpstreamIndicator } from './stream.indicators.js';

/** The stream of all live events, and its health. */
@Module({
  imports: [UpstreamsModule],
  providers: [
    {
      provide: EventStream,
      inject: [Upstreams, LOGGER],
      useFactory: (upstreams: Upstreams, logger: Logger) => new EventStream(upstreams, logger),
    },
    {
      provide: StreamIndicator,
      inject: [EventStream],
      useFactory: (stream: EventStream) => new StreamIndicator(stream),
    },
    {
      provide: UpstreamIndicator,
      inject: [EventStream, Upstreams],
      useFactory: (stream: EventStream, upstreams: Upstreams) =>
        new UpstreamIndicator(stream, upstreams),
    },
  ],
  exports: [EventStream, StreamIndicator, UpstreamIndicator],
})
export class StreamModule {}
