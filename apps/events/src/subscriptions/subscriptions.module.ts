import { Module } from '@nestjs/common';
import { EventStreamModule } from '../stream/event-stream.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { EventReplay } from './event-replay.js';
import { PositionCheck } from './position-check.js';
import { SubscriptionHub } from './subscription-hub.js';
import { SubscriptionQuota } from './subscription-quota.js';
import { SubscriptionsService } from './subscriptions.service.js';

/** Subscriptions: live events, and past ones before them. */
@Module({
  imports: [EventStreamModule, UpstreamsModule],
  providers: [SubscriptionQuota, SubscriptionHub, PositionCheck, EventReplay, SubscriptionsService],
  exports: [SubscriptionHub, SubscriptionsService, PositionCheck],
})
export class SubscriptionsModule {}
