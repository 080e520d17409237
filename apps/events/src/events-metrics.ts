import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rememberAnswer } from '@forecourt/resilience';
import { Metrics, FRESH_MS } from '@forecourt/runtime/metrics';
import { checkpointLag } from './stream/upstream.indicator.js';
import { RpcServer } from './rpc/rpc-server.js';
import { RpcClientLimits } from './rpc/rpc-client-limits.js';
import { EventStream } from './stream/event-stream.js';
import { SubscriptionHub } from './subscriptions/subscription-hub.js';
import { NodeCalls } from './upstreams/node-calls.js';
import { Upstreams } from './upstreams/upstreams.js';

/** Exports the numbers of subscribers and of events sent to them, and the position of the stream. */
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
    const { memory, pendingCalls } = clients;
    const latest = rememberAnswer(() => upstreams.current.latestCheckpoint(), FRESH_MS);
    this.counters({
      events_messages_sent_total: ['Events sent to subscribers.', () => subscriptions.totals.sent],
      events_slow_consumers_ended_total: [
        'Subscriptions ended because their client read more slowly than events arrive.',
        () => subscriptions.totals.slowEnded,
      ],
      events_consumers_shed_total: [
        'Connections and requests closed because they used too much memory.',
        () => memory.shedCount,
      ],
    });
    this.gauges({
      events_connections: ['Open WebSockets.', () => rpc.connectionCount],
      events_subscriptions: ['Open subscriptions.', () => subscriptions.count],
      events_held_bytes: [
        'Memory used on behalf of clients: responses, filters, incomplete messages.',
        () => memory.usedBytes,
      ],
      events_pending_calls: [
        'Calls of clients that are queued or running.',
        () => pendingCalls.held,
      ],
      events_node_calls_waiting: [
        'Ledger node calls that wait for their turn.',
        () => nodeCalls.waiting,
      ],
      events_upstream_connected: [
        'Whether a ledger node responds to the event stream (1) or not (0).',
        () => Number(stream.state.connected),
      ],
      events_following: [
        'Whether the event stream reads every event, because a subscription needs it (1), or is idle (0).',
        () => Number(stream.state.following),
      ],
      events_last_event_timestamp_seconds: [
        'Time of the newest event in the stream, in seconds since 1970.',
        () => stream.state.lastEventAt && stream.state.lastEventAt / 1_000,
      ],
      events_lowest_checkpoint: [
        'The oldest checkpoint that the ledger node in use can answer queries from; 0 unless it is pruned.',
        () => upstreams.current.lowestCheckpoint(),
      ],
      events_lag_checkpoints: [
        'How many checkpoints the event stream is behind the ledger node; 0 while it is idle.',
        async () => checkpointLag(stream.state, await latest()),
      ],
    });
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
  }

  /** Name → help and a function that returns null when there is no value. */
  private gauges(
    all: Readonly<Record<string, [string, () => number | null | Promise<number | null>]>>,
  ): void {
    for (const [name, [help, read]] of Object.entries(all)) {
      this.metrics.figures({
        name,
        help,
        read: async () => {
          const value = await read();
          return value === null ? [] : [[{}, value]];
        },
      });
    }
  }

  private counters(all: Readonly<Record<string, [string, () => number]>>): void {
    for (const [name, [help, read]] of Object.entries(all)) {
      this.metrics.figures({ name, help, kind: 'counter', read: () => [[{}, read()]] });
    }
  }
}
