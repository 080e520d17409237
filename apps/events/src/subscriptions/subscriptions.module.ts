import { Module } from '@nestjs/common';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import { StreamModule } from '../stream/stream.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { ClientSubscriptions } from './client-subscriptions.js';
import { createSubscriptionQuota } from './create-subscription-quota.js';
import { EventReplay } from './event-replay.js';
import { SubscriptionHub } from './subscription-hub.js';
import { SubscriptionQuota } from './subscription-quota.js';

@Module({
  imports: [StreamModule, UpstreamsModule],
  providers: [
    { provide: SubscriptionQuota, inject: [EVENTS_CONFIG], useFactory: createSubscriptionQuota },
    SubscriptionHub,
    ClientSubscriptions,
    EventReplay,
  ],
  exports: [ClientSubscriptions, EventReplay, SubscriptionHub],
})
export class SubscriptionsModule {}
