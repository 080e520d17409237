import { Module } from '@nestjs/common';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { EventStream } from './event-stream.js';
import { UpstreamIndicator } from './upstream.indicator.js';
import { StreamIndicator } from './stream.indicator.js';

/** The stream of all live events, and its health. */
@Module({
  imports: [UpstreamsModule],
  providers: [EventStream, StreamIndicator, UpstreamIndicator],
  exports: [EventStream, StreamIndicator, UpstreamIndicator],
})
export class EventStreamModule {}
