import { Module } from '@nestjs/common';
import { StreamModule } from '../stream/stream.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { ReplicaController } from './replica.controller.js';
import { StreamIndicator } from './stream.indicator.js';
import { UpstreamIndicator } from './upstream.indicator.js';

@Module({
  imports: [StreamModule, UpstreamsModule],
  controllers: [ReplicaController],
  providers: [StreamIndicator, UpstreamIndicator],
  exports: [StreamIndicator, UpstreamIndicator],
})
export class UpstreamHealthModule {}
