import { type Metrics, cacheRead } from '@forecourt/runtime/metrics';
import type { RpcParts } from '../rpc/method-table.js';

/** Shows who listens, what is sent to them, and where the stream stands. `connections`: how many there are now. */
export function measureEvents(
  metrics: Metrics,
  { clients, stream, upstreams, served, nodeCalls }: RpcParts,
  connections: () => number,
): void {
  metrics.figures({
    name: 'events_connections',
    help: 'WebSockets that are open.',
    read: () => [[{}, connections()]],
  });
  metrics.figures({
    name: 'events_subscriptions',
    help: 'Subscriptions that are open.',
    read: () => [[{}, clients.count]],
  });
  metrics.figures({
    name: 'events_messages_sent_total',
    kind: 'counter',
    help: 'Events sent to subscribers.',
    read: () => [[{}, clients.tally.sent]],
  });
  metrics.figures({
    name: 'events_slow_consumers_ended_total',
    kind: 'counter',
    help: 'Subscriptions ended because their client read more slowly than events arrive.',
    read: () => [[{}, clients.tally.slowEnded]],
  });
  metrics.figures({
    name: 'events_held_bytes',
    help: 'Memory that is held for clients: answers, filters, unfinished messages.',
    read: () => [[{}, served.memory.heldBytes]],
  });
  metrics.figures({
    name: 'events_consumers_shed_total',
    kind: 'counter',
    help: 'Connections and requests ended because too much memory was held for them.',
    read: () => [[{}, served.memory.shedCount]],
  });
  metrics.figures({
    name: 'events_pending_calls',
    help: 'Calls of clients that wait or are worked on.',
    read: () => [[{}, served.pendingCalls.total]],
  });
  metrics.figures({
    name: 'events_node_calls_waiting',
    help: 'Calls to the node that wait for their turn.',
    read: () => [[{}, nodeCalls.waiting]],
  });
  metrics.figures({
    name: 'events_upstream_connected',
    help: 'Whether the stream from the node stands (1) or not (0).',
    read: () => [[{}, stream.state.connected ? 1 : 0]],
  });
  metrics.figures<{ upstream: string }>({
    name: 'events_upstream_in_use',
    labels: ['upstream'],
    help: 'The nodes that events may come from: 1 for the one in use.',
    read: () =>
      upstreams.names.map((name) => [{ upstream: name }, Number(upstreams.current.name === name)]),
  });
  metrics.figures({
    name: 'events_last_event_timestamp_seconds',
    help: 'When the newest event that went through the stream happened, in seconds since 1970.',
    read: () => (stream.state.lastEventAt === null ? [] : [[{}, stream.state.lastEventAt / 1_000]]),
  });
  const latest = cacheRead(() => upstreams.current.latestCheckpoint());
  metrics.figures({
    name: 'events_lag_checkpoints',
    help: 'How many checkpoints the stream is behind the node.',
    async read() {
      const newest = await latest();
      const { checkpoint } = stream.state;
      return newest === null || checkpoint === null ? [] : [[{}, Math.max(0, newest - checkpoint)]];
    },
  });
}
