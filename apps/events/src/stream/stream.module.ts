import { Module } from '@nestjs/common';
import { LOGGER, provideClass } from '@forecourt/runtime/service';
import { Upstreams } from '../upstreams/upstreams.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { EventStream } from './event-stream.js';
import { StreamIndicator, UpstreamIndicator } from './stream.indicators.js';

/** The stream of all live events, and its health. */
@Module({
  imports: [UpstreamsModule],
  providers: [
    provideClass(EventStream, Upstreams, LOGGER),
    provideClass(StreamIndicator, EventStream),
    provideClass(UpstreamIndicator, EventStream, Upstreams),
  ],
  exports: [EventStream, StreamIndicator, UpstreamIndicator],
})
export class StreamModule {}
