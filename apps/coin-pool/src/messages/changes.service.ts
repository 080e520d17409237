import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  listSponsors,
  type Place,
  readChanges,
  type StoredChange,
} from '@forecourt/coin-store';
import {
  type ChangesOfStream,
  ForecourtError,
  type ReadChangesMessage,
  type ReadChangesReply,
  REFUSALS_STREAM,
} from '@forecourt/contracts';
import { REDIS } from '@forecourt/runtime/service';
import { maySeeStored } from '@forecourt/sponsorship';

/** Changes of one stream in one reply. */
const MOST_CHANGES = 250;
const PLACE = /^\d{1,16}-\d{1,16}$/;

/** Reads the changes of sponsorships, and refused requests, for gateways that show them as they happen. */
@Injectable()
export class ChangesService {
  constructor(@Inject(REDIS) private readonly redis: CoinStoreRedis) {}

  /** Throws INVALID_REQUEST for a place that is none. */
  async read({ after, fromEnd = false, viewer }: ReadChangesMessage): Promise<ReadChangesReply> {
    const sponsors = [...(await listSponsors(this.redis))];
    const streams = [
      ...sponsors.map(([index, sponsor]) => ({ name: String(index), sponsor })),
      { name: REFUSALS_STREAM, sponsor: null },
    ];
    const otherwise = fromEnd ? 'end' : 'beginning';
    const read = streams.map(async ({ name, sponsor }): Promise<ChangesOfStream> => {
      const place = placeOf(Object.hasOwn(after, name) ? after[name] : undefined) ?? otherwise;
      const found = await readChanges(this.redis, sponsor ?? name, place, MOST_CHANGES);
      const isVisible = ({ pairs }: StoredChange) => !viewer || maySeeStored(viewer, pairs);
      return { name, sponsor, ...found, changes: found.changes.filter(isVisible) };
    });
    return { streams: await Promise.all(read) };
  }
}

function placeOf(after: unknown): Place | null {
  if (after === undefined) return null;
  if (typeof after === 'string' && PLACE.test(after)) return { after };
  throw new ForecourtError('INVALID_REQUEST', 'Invalid message: a place is the id of an entry');
}
