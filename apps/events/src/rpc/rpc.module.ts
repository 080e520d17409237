import { Module } from '@nestjs/common';
import { StreamModule } from '../stream/stream.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { GetEventsHandler } from './get-events.handler.js';
import { RpcClientLimits } from './rpc-client-limits.js';
import type { RpcHandler } from './rpc-handler.js';
import { RPC_HANDLERS, RpcMethods } from './rpc-methods.js';
import { RpcServer } from './rpc-server.js';
import { SubscribeEventHandler } from './subscribe-event.handler.js';
import { UnsubscribeEventHandler } from './unsubscribe-event.handler.js';

const HANDLERS = [GetEventsHandler, SubscribeEventHandler, UnsubscribeEventHandler];

@Module({
  imports: [StreamModule, SubscriptionsModule, UpstreamsModule],
  providers: [
    ...HANDLERS,
    {
      provide: RPC_HANDLERS,
      inject: HANDLERS,
      useFactory: (...handlers: RpcHandler[]) => handlers,
    },
    RpcMethods,
    RpcClientLimits,
    RpcServer,
  ],
  exports: [RpcClientLimits, RpcServer],
})
export class RpcModule {}
