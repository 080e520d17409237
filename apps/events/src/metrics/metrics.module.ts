import { Module } from '@nestjs/common';
import { RpcModule } from '../rpc/rpc.module.js';
import { StreamModule } from '../stream/stream.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { EventsMetrics } from './events-metrics.js';

@Module({
  imports: [RpcModule, StreamModule, SubscriptionsModule, UpstreamsModule],
  providers: [EventsMetrics],
})
export class MetricsModule {}
