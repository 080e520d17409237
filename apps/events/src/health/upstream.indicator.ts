import { Injectable } from '@nestjs/common';
import type { Indicator } from '@forecourt/runtime/service';
import { EventStream } from '../stream/event-stream.js';
import { Upstreams } from '../upstreams/upstreams.js';

/** Whether the event stream is connected, how many checkpoints it is behind the node, and the time of the last event. */
@Injectable()
export class UpstreamIndicator implements Indicator {
  readonly name = 'upstream';

  constructor(
    private readonly stream: EventStream,
    private readonly upstreams: Upstreams,
  ) {}

  readonly check = async () => {
    const { connected, upstream, checkpoint, lastEventAt } = this.stream.state;
    if (!connected) throw new Error(`Upstream ${upstream} is not connected`);
    const latest = await this.upstreams.current.latestCheckpoint();
    const lag = latest === null || checkpoint === null ? null : Math.max(0, latest - checkpoint);
    return {
      upstream,
      connected,
      checkpoint,
      lagCheckpoints: lag,
      lastEventAt: lastEventAt === null ? null : new Date(lastEventAt).toISOString(),
    };
  };
}
