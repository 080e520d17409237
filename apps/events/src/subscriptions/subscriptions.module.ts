import { Module } from '@nestjs/common';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import type { EventsConfig } from '../config/events-config.js';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import { LIMITS } from '../config/limits.js';
import { EventStream } from '../stream/event-stream.js';
import { StreamModule } from '../stream/stream.module.js';
import { NodeCalls } from '../upstreams/node-calls.js';
import { Upstreams } from '../upstreams/upstreams.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { EventReplay } from './event-replay.js';
import { SubscriptionHub } from './subscription-hub.js';
import { SubscriptionQuota } from './subscription-quota.js';
import { SubscriptionsService } from './subscriptions.service.js';

/** Subscriptions: live events, and past ones before them. */
@Module({
  imports: [StreamModule, UpstreamsModule],
  providers: [
    {
      provide: SubscriptionHub,
      inject: [EventStream, EVENTS_CONFIG],
      useFactory: (stream: EventStream, { maxBufferedBytes }: EventsConfig) =>
        new SubscriptionHub(stream, maxBufferedBytes),
    },
    {
      provide: SubscriptionsService,
      inject: [EventStream, SubscriptionHub, Upstreams, NodeCalls, EVENTS_CONFIG, LOGGER],
      useFactory: (
        stream: EventStream,
        hub: SubscriptionHub,
        upstreams: Upstreams,
        nodeCalls: NodeCalls,
        config: EventsConfig,
        logger: Logger,
      ) => {
        const replay = new EventReplay(upstreams, nodeCalls, stream, hub, logger);
        return new SubscriptionsService(stream, createQuota(config), hub, replay);
      },
    },
  ],
  exports: [SubscriptionHub, SubscriptionsService],
})
export class SubscriptionsModule {}

function createQuota(config: EventsConfig): SubscriptionQuota {
  return new SubscriptionQuota({
    perConnection: {
      ...LIMITS.connection,
      subscriptions: config.maxSubscriptionsPerConnection,
    },
    inAll: {
      ...LIMITS.process,
      subscriptions: config.maxSubscriptions,
      fieldPaths: config.maxFieldPathsInAll,
    },
  });
}
