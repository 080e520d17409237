import { IsNatural } from '../validation/is-integer-between.js';
import { IsName } from '../validation/is-text.js';

/** Sorted set in Redis: `AnnouncedReplica` as JSON; score = when it was last announced, in ms by Redis's clock. */
export const REPLICAS_KEY = 'fc:replicas';

/** Interval of a replica's announcements, in ms. */
export const ANNOUNCED_EVERY_MS = 5_000;
/** A replica that has not been announced for this time is gone, in ms. */
export const REPLICA_GONE_AFTER_MS = 20_000;

/** The identity of a replica. */
export class AnnouncedReplica {
  /** The app. */
  @IsName()
  readonly service!: string;

  /** Identifies the process within the fleet. */
  @IsName()
  readonly id!: string;

  /** Version and commit, as in `GET /version`. */
  @IsName()
  readonly version!: string;

  /** Milliseconds since 1970, by the replica's clock. */
  @IsNatural()
  readonly startedAt!: number;
}
