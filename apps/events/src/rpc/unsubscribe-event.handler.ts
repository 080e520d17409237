import { Injectable } from '@nestjs/common';
import { eventMethods } from '@forecourt/contracts';
import type { CallContext } from '@forecourt/json-rpc';
import type { CalledMethod } from '../dialects/called-method.js';
import { ClientSubscriptions } from '../subscriptions/client-subscriptions.js';
import { DEPRECATED, type RpcHandler } from './rpc-handler.js';
import { SUBSCRIPTION_ID } from './schemas/subscription-id.js';

@Injectable()
export class UnsubscribeEventHandler implements RpcHandler {
  readonly name = eventMethods.unsubscribeEvent;
  readonly description = {
    summary: 'Ends a subscription of the same connection.',
    description: DEPRECATED,
    deprecated: true,
    params: [
      {
        name: 'subscription',
        required: true,
        description: 'the result of subscribeEvent',
        schema: SUBSCRIPTION_ID,
      },
    ],
    result: { name: 'known', schema: { type: 'boolean' } },
  };

  constructor(private readonly subscriptions: ClientSubscriptions) {}

  /** Resolves with false for an id that is unknown on this connection. Throws -32602. */
  async handle(
    params: unknown,
    { connection }: CallContext,
    { dialect }: CalledMethod,
  ): Promise<boolean> {
    const id = dialect.readUnsubscribeEvent(params);
    return connection !== undefined && this.subscriptions.close(connection, id);
  }
}
