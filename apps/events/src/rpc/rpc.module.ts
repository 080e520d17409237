import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Metrics } from '@forecourt/runtime/metrics';
import { LOGGER, provideClass, ServiceState } from '@forecourt/runtime/service';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import { SubscriptionHub } from '../subscriptions/subscription-hub.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { SubscriptionsService } from '../subscriptions/subscriptions.service.js';
import { NodeCalls } from '../upstreams/node-calls.js';
import { PAST_EVENTS } from '../upstreams/past-events.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { EventQueries } from './event-queries.js';
import { RpcClientLimits } from './rpc-client-limits.js';
import { RpcMethods } from './rpc-methods.js';
import { RpcServer } from './rpc-server.js';

/** JSON-RPC at `/rpc`. */
@Module({
  imports: [SubscriptionsModule, UpstreamsModule],
  providers: [
    provideClass(EventQueries, PAST_EVENTS, NodeCalls),
    provideClass(RpcMethods, EventQueries, SubscriptionsService, NodeCalls, EVENTS_CONFIG, Metrics),
    provideClass(RpcClientLimits, EVENTS_CONFIG, LOGGER),
    provideClass(
      RpcServer,
      HttpAdapterHost,
      RpcMethods,
      SubscriptionHub,
      RpcClientLimits,
      EVENTS_CONFIG,
      LOGGER,
      ServiceState,
    ),
  ],
  exports: [RpcClientLimits, RpcServer],
})
export class RpcModule {}
