import type { StreamPlaces } from '@forecourt/contracts';
import type { Step, StreamedRecord } from './change-reader.js';
import type { StreamIds } from './stream-ids.js';
import { isUpTo, latestOf } from './stream-places.js';

const GAP = {
  message:
    'Changes before this event are lost to this stream; /v1/sponsorships and /v1/refusals have them',
};

/** An event of the streams, formed once for all clients that see it. */
export class StreamEvent {
  /** Clients that have not read it yet share its memory. */
  #bytes: Buffer | undefined;

  /** `places`: where a client goes on after it. */
  constructor(
    private readonly ids: Pick<StreamIds, 'write'>,
    private readonly step: Step,
    readonly places: StreamPlaces,
  ) {}

  /** Null: a gap. */
  get record(): StreamedRecord | null {
    return this.step.record;
  }

  get bytes(): Buffer {
    if (this.#bytes === undefined) {
      const { type, data } = this.record ?? { type: 'gap', data: GAP };
      this.#bytes = writeEvent(type, this.ids.write(this.places), data);
    }
    return this.#bytes;
  }

  /** Whether a client that has reached these places has seen it. */
  isUpTo(places: StreamPlaces): boolean {
    const { name, place } = this.step;
    const reached = places[name];
    return place !== null && reached !== undefined && isUpTo(place, reached);
  }

  /** The same event for a client that has reached these places already. */
  after(places: StreamPlaces): StreamEvent {
    return new StreamEvent(this.ids, this.step, latestOf(this.places, places));
  }
}

/** An event in the form of a stream (HTML standard, "Server-sent events"). */
export function writeEvent(type: string, id: string, data: object): Buffer {
  return Buffer.from(`event: ${type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** Shows that the connection is alive, and where a client goes on; no event. */
export function writeHeartbeat(id: string): string {
  return `id: ${id}\n\n`;
}
