import { Module } from '@nestjs/common';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { RpcMethods } from './rpc-methods.js';
import { RpcServer } from './rpc-server.js';
import { RpcClientLimits } from './rpc-client-limits.js';

/** JSON-RPC at `/rpc`. */
@Module({
  imports: [SubscriptionsModule, UpstreamsModule],
  providers: [RpcMethods, RpcClientLimits, RpcServer],
  exports: [RpcClientLimits, RpcServer],
})
export class RpcModule {}
