import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { Metrics } from '@forecourt/runtime/metrics';
import { type Logger, LOGGER, ServiceState } from '@forecourt/runtime/service';
import type { EventsConfig } from '../config/events-config.js';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import { SubscriptionHub } from '../subscriptions/subscription-hub.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { SubscriptionsService } from '../subscriptions/subscriptions.service.js';
import { NodeCalls } from '../upstreams/node-calls.js';
import { Upstreams } from '../upstreams/upstreams.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { EventQueries } from './event-queries.js';
import { RpcClientLimits } from './rpc-client-limits.js';
import { measureCalls, RpcMethods } from './rpc-methods.js';
import { RpcServer } from './rpc-server.js';

/** JSON-RPC at `/rpc`. */
@Module({
  imports: [SubscriptionsModule, UpstreamsModule],
  providers: [
    {
      provide: RpcMethods,
      inject: [Upstreams, NodeCalls, SubscriptionsService, EVENTS_CONFIG],
      useFactory: (
        upstreams: Upstreams,
        nodeCalls: NodeCalls,
        subscriptions: SubscriptionsService,
        { methodAliases }: EventsConfig,
      ) => {
        const queries = new EventQueries(upstreams, nodeCalls);
        return new RpcMethods(queries, subscriptions, nodeCalls, methodAliases);
      },
    },
    {
      provide: RpcClientLimits,
      inject: [EVENTS_CONFIG, LOGGER],
      useFactory: (config: EventsConfig, logger: Logger) => new RpcClientLimits(config, logger),
    },
    {
      provide: RpcServer,
      inject: [
        HttpAdapterHost,
        RpcMethods,
        Metrics,
        SubscriptionHub,
        RpcClientLimits,
        EVENTS_CONFIG,
        LOGGER,
        ServiceState,
      ],
      useFactory: (
        host: HttpAdapterHost<FastifyAdapter>,
        methods: RpcMethods,
        metrics: Metrics,
        hub: SubscriptionHub,
        clients: RpcClientLimits,
        config: EventsConfig,
        logger: Logger,
        state: ServiceState,
      ) => new RpcServer(host, measureCalls(metrics, methods), hub, clients, config, logger, state),
    },
  ],
  exports: [RpcClientLimits, RpcServer],
})
export class RpcModule {}
