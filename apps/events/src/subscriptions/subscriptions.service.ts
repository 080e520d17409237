import { Inject, Injectable } from '@nestjs/common';
import {
  type CalledMethod,
  type EventPosition,
  FIRST_EVENT_ID,
  JsonRpcCode,
  JsonRpcError,
} from '@forecourt/contracts';
import { type CallContext, ConnectionDropped, type RpcConnection } from '@forecourt/json-rpc';
import { measureFilterCost } from '../event-matching/compile-filter.js';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';
import { EventStream } from '../stream/event-stream.js';
import { PAST_EVENTS, type PastEvents } from '../upstreams/past-events.js';
import { NodeCalls } from '../upstreams/node-calls.js';
import { EventReplay } from './event-replay.js';
import { PositionCheck } from './position-check.js';
import { SubscriptionHub } from './subscription-hub.js';
import { SubscriptionQuota } from './subscription-quota.js';

/** The methods that open and end subscriptions. */
@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly stream: EventStream,
    @Inject(PAST_EVENTS) private readonly past: PastEvents,
    private readonly quota: SubscriptionQuota,
    private readonly hub: SubscriptionHub,
    private readonly replay: EventReplay,
    private readonly positions: PositionCheck,
    private readonly nodeCalls: NodeCalls,
    @Inject(EVENTS_CONFIG) private readonly config: EventsConfig,
  ) {}

  /**
   * Resolves with the subscription's id; its events follow after the response. Throws -32600 over HTTP,
   * -32602 naming the param, for a filter that is too large or a position that the ledger does not have,
   * -32006 beyond the limits, -32000 while no upstream has been reached or the index of events holds another
   * ledger, and `ConnectionDropped`.
   */
  async subscribe(params: unknown, context: CallContext, called: CalledMethod): Promise<number> {
    const connection = requireConnection(context, called);
    const { maxFilterDepth: maxDepth, maxFilterSize: maxFilters } = this.config;
    const limits = { maxDepth, maxFilters };
    const { filter, from } = called.format.readSubscribeEvent(params, limits);
    const release = this.quota.take(connection, measureFilterCost(filter));
    try {
      await this.requireStream(connection);
      if (from !== null) await this.checkPosition(from, connection);
    } catch (error) {
      release();
      throw error;
    }
    const subscription = this.hub.open(connection, {
      called,
      filter,
      from: from?.id ?? FIRST_EVENT_ID,
      onEnded: release,
    });
    // The client must know the id before it receives events that carry it.
    context.afterReply(() => {
      if (from === null) this.hub.join(subscription);
      else this.replay.start(subscription, from.id);
    });
    return subscription.id;
  }

  private async requireStream({ signal }: RpcConnection): Promise<void> {
    await this.stream.demand.raise();
    if (this.stream.recent === null) throw streamUnavailable();
    await this.past.requireSameLedger();
    if (signal.aborted) throw new ConnectionDropped();
  }

  private async checkPosition(from: EventPosition, connection: RpcConnection): Promise<void> {
    const session = this.nodeCalls.openSession(connection, {});
    try {
      await this.positions.require(from, 'position 2 (resume)', session);
    } finally {
      session.end();
    }
    if (connection.signal.aborted) throw new ConnectionDropped();
  }

  /** Resolves with false for an id that is unknown on this connection. Throws -32602. */
  async unsubscribe(
    params: unknown,
    { connection }: CallContext,
    { format }: CalledMethod,
  ): Promise<boolean> {
    const id = format.readUnsubscribeEvent(params);
    return connection !== undefined && this.hub.cancel(connection, id);
  }
}

function requireConnection({ connection }: CallContext, { name }: CalledMethod): RpcConnection {
  if (connection !== undefined) return connection;
  throw new JsonRpcError(
    JsonRpcCode.invalidRequest,
    `Invalid request: ${name} is available over WebSocket only`,
  );
}

function streamUnavailable(): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.callFailed,
    'Event stream unavailable: no ledger node has been reached yet; retry shortly',
  );
}
