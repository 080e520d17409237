import { Inject, Injectable } from '@nestjs/common';
import { eventMethods } from '@forecourt/contracts';
import { type CallContext, JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';
import type { CalledMethod } from '../dialects/called-method.js';
import { EventStream } from '../stream/event-stream.js';
import { ClientSubscriptions } from '../subscriptions/client-subscriptions.js';
import { EventReplay } from '../subscriptions/event-replay.js';
import { SubscriptionHub } from '../subscriptions/subscription-hub.js';
import { DEPRECATED, type RpcHandler } from './rpc-handler.js';
import { schemaNamed } from './schemas/json-schema.js';
import { SUBSCRIPTION_ID } from './schemas/subscription-id.js';

@Injectable()
export class SubscribeEventHandler implements RpcHandler {
  readonly name = eventMethods.subscribeEvent;
  readonly description = {
    summary: 'Live events that match a filter, over WebSocket.',
    description: DEPRECATED,
    deprecated: true,
    params: [
      {
        name: 'filter',
        required: true,
        description: 'an attribute filter, or And, Or, All, Any of filters',
        schema: schemaNamed('EventFilter'),
      },
      {
        name: 'resume',
        required: false,
        description:
          'where to begin: a nextCursor (that event first), or the id of the last event received ({txSeq, eventSeq})',
        schema: { oneOf: [schemaNamed('Cursor'), schemaNamed('EventId'), { type: 'null' }] },
      },
    ],
    result: { name: 'subscription', schema: SUBSCRIPTION_ID },
  };

  constructor(
    private readonly stream: EventStream,
    private readonly subscriptions: ClientSubscriptions,
    private readonly hub: SubscriptionHub,
    private readonly replay: EventReplay,
    @Inject(EVENTS_CONFIG) private readonly config: EventsConfig,
  ) {}

  /**
   * Resolves with the subscription's id. Throws -32600 over HTTP, -32602 naming the param, -32006 beyond the limits,
   * -32000 while no upstream has been reached, and `ConnectionDropped`.
   */
  async handle(params: unknown, context: CallContext, called: CalledMethod): Promise<number> {
    const { connection } = context;
    if (connection === undefined) {
      throw new JsonRpcError(
        JsonRpcCode.invalidRequest,
        `Invalid request: ${called.name} is available over WebSocket only`,
      );
    }
    const { maxFilterDepth: maxDepth, maxFilterSize: maxFilters } = this.config;
    const request = called.dialect.readSubscribeEvent(params, { maxDepth, maxFilters });
    if (this.stream.recent === null) {
      throw new JsonRpcError(
        JsonRpcCode.callFailed,
        'Event stream unavailable: no ledger node has been reached yet; retry shortly',
      );
    }
    const subscription = this.subscriptions.open(connection, called, request);
    // Not before the client knows the id that its events will carry.
    context.afterReply(() => {
      if (request.from === null) this.hub.join(subscription);
      else this.replay.start(subscription, request.from);
    });
    return subscription.id;
  }
}
