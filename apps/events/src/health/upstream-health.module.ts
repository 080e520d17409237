import { Module } from '@nestjs/common';
import { StreamModule } from '../stream/stream.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { UpstreamIndicator } from './upstream.indicator.js';

@Module({
  imports: [StreamModule, UpstreamsModule],
  providers: [UpstreamIndicator],
  exports: [UpstreamIndicator],
})
export class UpstreamHealthModule {}
