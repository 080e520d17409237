import { Injectable } from '@nestjs/common';
import type { Indicator } from '@forecourt/runtime/service';
import { EventStream } from './event-stream.js';

/**
 * Whether this replica has reached an upstream since it started. A replica that loses its upstream later
 * stays ready.
 */
@Injectable()
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
