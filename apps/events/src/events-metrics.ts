import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics, cacheRead } from '@forecourt/runtime/metrics';
import { RpcClientLimits } from './rpc/rpc-client-limits.js';
import { RpcServer } from './rpc/rpc-server.js';
import { EventStream } from './stream/event-stream.js';
import { SubscriptionHub } from './subscriptions/subscription-hub.js';
import { NodeCalls } from './upstreams/node-calls.js';
import { Upstreams } from './upstreams/upstreams.js';

/** Exports the subscribers, what they are sent, and the position of the stream. */
@Injectable()
export class EventsMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly rpc: RpcServer,
    private readonly clients: RpcClientLimits,
    private readonly subscriptions: SubscriptionHub,
    private readonly stream: EventStream,
    private readonly upstreams: Upstreams,
    private readonly nodeCalls: NodeCalls,
  ) {}

  onModuleInit(): void {
    const { rpc, clients, subscriptions, stream, upstreams, nodeCalls } = this;
    this.gauge('events_connections', 'Open WebSockets.', () => rpc.connectionCount);
    this.gauge('events_subscriptions', 'Open subscriptions.', () => subscriptions.count);
    this.counter(
      'events_messages_sent_total',
      'Events sent to subscribers.',
      () => subscriptions.totals.sent,
    );
    this.counter(
      'events_slow_consumers_ended_total',
      'Subscriptions ended because their client read more slowly than events arrive.',
      () => subscriptions.totals.slowEnded,
    );
    this.gauge(
      'events_held_bytes',
      'Memory used on behalf of clients: responses, filters, incomplete messages.',
      () => clients.memory.usedBytes,
    );
    this.counter(
      'events_consumers_shed_total',
      'Connections and requests closed because they used too much memory.',
      () => clients.memory.shedCount,
    );
    this.gauge(
      'events_pending_calls',
      'Calls of clients that are queued or running.',
      () => clients.pendingCalls.held,
    );
    this.gauge(
      'events_node_calls_waiting',
      'Ledger node calls that wait for their turn.',
      () => nodeCalls.waiting,
    );
    this.gauge(
      'events_upstream_connected',
      'Whether the event stream is connected to a ledger node (1) or not (0).',
      () => Number(stream.state.connected),
    );
    this.metrics.figures<{ upstream: string }>({
      name: 'events_upstream_in_use',
      labels: ['upstream'],
      help: 'The ledger nodes that events may come from: 1 for the one in use.',
      read: () =>
        upstreams.names.map((name) => [
          { upstream: name },
          Number(upstreams.current.name === name),
        ]),
    });
    this.gauge(
      'events_last_event_timestamp_seconds',
      'Time of the newest event in the stream, in seconds since 1970.',
      () => stream.state.lastEventAt && stream.state.lastEventAt / 1_000,
    );
    this.gauge(
      'events_lowest_checkpoint',
      'The oldest checkpoint that the ledger node in use can answer queries from; 0 unless it is pruned.',
      () => upstreams.current.lowestCheckpoint(),
    );
    const latest = cacheRead(() => upstreams.current.latestCheckpoint());
    this.gauge(
      'events_lag_checkpoints',
      'How many checkpoints the event stream is behind the ledger node.',
      async () => {
        const newest = await latest();
        const { checkpoint } = stream.state;
        return newest === null || checkpoint === null ? null : Math.max(0, newest - checkpoint);
      },
    );
  }

  /** `read` returns null when there is no value. */
  private gauge(
    name: string,
    help: string,
    read: () => number | null | Promise<number | null>,
  ): void {
    this.metrics.figures({
      name,
      help,
      read: async () => {
        const value = await read();
        return value === null ? [] : [[{}, value]];
      },
    });
  }

  private counter(name: string, help: string, read: () => number): void {
    this.metrics.figures({ name, help, kind: 'counter', read: () => [[{}, read()]] });
  }
}
