import { Module } from '@nestjs/common';
import { LOGGER, provideClass } from '@forecourt/runtime/service';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import { EventStream } from '../stream/event-stream.js';
import { StreamModule } from '../stream/stream.module.js';
import { NodeCalls } from '../upstreams/node-calls.js';
import { PAST_EVENTS } from '../upstreams/past-events.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { EventReplay } from './event-replay.js';
import { SubscriptionHub } from './subscription-hub.js';
import { SubscriptionQuota } from './subscription-quota.js';
import { SubscriptionsService } from './subscriptions.service.js';

/** Subscriptions: live events, and past ones before them. */
@Module({
  imports: [StreamModule, UpstreamsModule],
  providers: [
    provideClass(SubscriptionQuota, EVENTS_CONFIG),
    provideClass(SubscriptionHub, EventStream, EVENTS_CONFIG),
    provideClass(EventReplay, PAST_EVENTS, NodeCalls, EventStream, SubscriptionHub, LOGGER),
    provideClass(
      SubscriptionsService,
      EventStream,
      PAST_EVENTS,
      SubscriptionQuota,
      SubscriptionHub,
      EventReplay,
      EVENTS_CONFIG,
    ),
  ],
  exports: [SubscriptionHub, SubscriptionsService],
})
export class SubscriptionsModule {}
