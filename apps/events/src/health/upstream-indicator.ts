import type { Indicator } from '@forecourt/runtime/service';
import type { EventStream } from '../stream/event-stream.js';
import type { Upstreams } from '../upstreams/upstreams.js';

/** Whether the stream of events stands; shows the lag behind the node in checkpoints, and the time of the last event. */
export function upstreamIndicator(stream: EventStream, upstreams: Upstreams): Indicator {
  return {
    name: 'upstream',
    check: async () => {
      const { connected, upstream, checkpoint, lastEventAt } = stream.state;
      if (!connected) throw new Error(`${upstream} is not connected`);
      const latest = await upstreams.current.latestCheckpoint();
      const lag = latest === null || checkpoint === null ? null : Math.max(0, latest - checkpoint);
      return {
        upstream,
        connected,
        checkpoint,
        lagCheckpoints: lag,
        lastEventAt: lastEventAt === null ? null : new Date(lastEventAt).toISOString(),
      };
    },
  };
}
