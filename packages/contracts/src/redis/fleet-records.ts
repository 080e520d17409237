import { IsOptional, ValidateIf } from 'class-validator';
import { IsName, IsNatural, IsText, MAX_MESSAGE_LENGTH } from '../dto/index.js';

/**
 * Sorted set in Redis: `AnnouncedReplica` as JSON; score = when it was last announced, in ms by Redis's
 * clock.
 */
export const REPLICAS_KEY = 'fc:replicas';

/** Interval of a replica's announcements, in ms. */
export const ANNOUNCED_EVERY_MS = 5_000;
/** A replica that has not been announced for this time is gone, in ms. */
export const REPLICA_GONE_AFTER_MS = 20_000;

/** The identity of a replica. */
export class AnnouncedReplica {
  /** The app. */
  @IsName() readonly service!: string;

  /** Identifies the process within the fleet. */
  @IsName() readonly id!: string;

  /** Version and commit, as in `GET /version`. */
  @IsName() readonly version!: string;

  /** Milliseconds since 1970, by the replica's clock. */
  @IsNatural() readonly startedAt!: number;

  /** The version of a gateway's tokens and access rules. Absent: no gateway. */
  @IsOptional() @IsName() readonly accessVersion?: string;
}

/** Hash in Redis: scope → `StoredPause` as JSON. Gateways read it. */
export const PAUSES_KEY = 'fc:pauses';
/** Stream in Redis: actions of operators, with `operator`, `action`, `scope` and `reason`. */
export const OPERATOR_ACTIONS_KEY = 'fc:operator-actions';

/** A field of `PAUSES_KEY`. */
export class StoredPause {
  @IsName() readonly reason!: string;
  @IsName() readonly by!: string;
  @IsNatural() readonly since!: number;
}

/**
 * Sorted set in Redis: names of running gateways; score = when each was last announced, in ms by Redis's
 * clock.
 */
export const GATEWAYS_KEY = 'fc:gateways';

/** The channel of requests to gateways to reload the access rules. */
export const RELOAD_ACCESS_RULES_CHANNEL = 'fc:reload-access-rules';

export class ReloadAccessRules {
  /** Identifies this request; its answers are sent on a separate channel. */
  @IsName() readonly id!: string;
}

/** The answer of one gateway. */
export class AccessRulesReloaded {
  @IsName() readonly gateway!: string;

  /** Null: it has loaded the rules. */
  @ValidateIf(({ mistake }: AccessRulesReloaded) => mistake !== null)
  @IsText({ minLength: 0, maxLength: MAX_MESSAGE_LENGTH })
  readonly mistake!: string | null;
}

/** The channel of the answers to one request. */
export function accessRulesReloadedChannel(id: string): string {
  return `fc:access-rules-reloaded:${id}`;
}
