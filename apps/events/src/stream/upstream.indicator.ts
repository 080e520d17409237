import { Injectable } from '@nestjs/common';
import type { Indicator } from '@forecourt/runtime/service';
import { Upstreams } from '../upstreams/upstreams.js';
import { EventStream, type StreamState } from './event-stream.js';

/**
 * Whether the event stream is connected, the reason if not, its lag behind the node in checkpoints, the first
 * checkpoint that the node can serve, and the time of the last event.
 */
@Injectable()
export class UpstreamIndicator implements Indicator {
  readonly name = 'upstream';

  constructor(
    private readonly stream: EventStream,
    private readonly upstreams: Upstreams,
  ) {}

  readonly check = async () => {
    const { state } = this.stream;
    const { connected, following, upstream, failure, checkpoint, lastEventAt } = state;
    if (!connected) {
      const why = failure === null ? '' : `: ${failure}`;
      throw new Error(`Upstream ${upstream} is not connected${why}`);
    }
    const { current } = this.upstreams;
    const latest = await current.latestCheckpoint();
    return {
      upstream,
      connected,
      following,
      checkpoint,
      lowestCheckpoint: await current.lowestCheckpoint(),
      lagCheckpoints: checkpointLag(state, latest),
      lastEventAt: lastEventAt === null ? null : new Date(lastEventAt).toISOString(),
    };
  };
}

/** Checkpoints that the stream is behind the node: none while it is idle; null while either is unknown. */
export function checkpointLag(
  { following, checkpoint }: StreamState,
  latest: number | null,
): number | null {
  if (latest === null || checkpoint === null) return null;
  return following ? Math.max(0, latest - checkpoint) : 0;
}
