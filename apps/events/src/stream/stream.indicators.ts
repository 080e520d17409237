import type { Indicator } from '@forecourt/runtime/service';
import type { Upstreams } from '../upstreams/upstreams.js';
import type { EventStream } from './event-stream.js';

/**
 * Whether this replica has reached an upstream since it started. A replica that loses its upstream later stays ready.
 */
export class StreamIndicator implements Indicator {
  readonly name = 'stream';

  constructor(private readonly stream: EventStream) {}

  readonly check = async () => {
    const { hasBegun, upstream, failure } = this.stream.state;
    if (hasBegun) return;
    const why = failure === null ? '' : `: ${failure}`;
    throw new Error(`Upstream ${upstream} has not been reached yet${why}`);
  };
}

/**
 * Whether the event stream is connected, the reason if not, its lag behind the node in checkpoints, the first
 * checkpoint that the node can serve, and the time of the last event.
 */
export class UpstreamIndicator implements Indicator {
  readonly name = 'upstream';

  constructor(
    private readonly stream: EventStream,
    private readonly upstreams: Upstreams,
  ) {}

  readonly check = async () => {
    const { connected, upstream, failure, checkpoint, lastEventAt } = this.stream.state;
    if (!connected) {
      const why = failure === null ? '' : `: ${failure}`;
      throw new Error(`Upstream ${upstream} is not connected${why}`);
    }
    const { current } = this.upstreams;
    const latest = await current.latestCheckpoint();
    return {
      upstream,
      connected,
      checkpoint,
      lowestCheckpoint: await current.lowestCheckpoint(),
      lagCheckpoints: checkpointLag(checkpoint, latest),
      lastEventAt: lastEventAt === null ? null : new Date(lastEventAt).toISOString(),
    };
  };
}

/** Checkpoints that the stream is behind the node; null while either is unknown. */
export function checkpointLag(checkpoint: number | null, latest: number | null): number | null {
  return latest === null || checkpoint === null ? null : Math.max(0, latest - checkpoint);
}
