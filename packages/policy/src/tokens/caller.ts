import type { RuleSet, UsageLimit } from '../access/index.js';
import type { QuarantineLimit, ReservationLimits } from '@forecourt/contracts';

/**
 * The permissions of a token: to reserve and execute; the routes of operators; to read all that operators may
 * read.
 */
export const roles = ['sponsor', 'operator', 'auditor'] as const;
export type Role = (typeof roles)[number];

/** A caller and its permissions. Logs name a caller, never its token. */
export interface Caller {
  readonly name: string;
  /**
   * Name of the token's entry, for rules and budgets: the same as `name`, except for users of `UserTokens`.
   */
  readonly token: string;
  readonly roles: ReadonlySet<Role>;
  /** Requests in a window of time; null: no limit. */
  readonly rateLimit: { readonly requests: number; readonly windowMs: number } | null;
  /** Limits on the gas that may be spent with it. */
  readonly budget: readonly UsageLimit[];
  /** Limits that the token's entry sets; the defaults apply to the others. */
  readonly reservation: Partial<ReservationLimits>;
  /** The same for all users of its token together. */
  readonly usersReservation: Partial<ReservationLimits>;
  /** Null: the default limit. */
  readonly quarantine: QuarantineLimit | null;
  /** Sponsors that it may choose, in full form; without a choice the pool's first pays. */
  readonly sponsors: 'any' | readonly string[];
  /** The only sender whose transactions are sponsored for it, in full form; null: any. */
  readonly sender: string | null;
  /** Name of the rule set for it; null: the general rules. */
  readonly ruleSet: string | null;
  /**
   * The rules at the time its token was read: its requests finish under them. Null: the current general
   * rules.
   */
  readonly rules: RuleSet | null;
}

/**
 * All tokens of `GAS_STATION_AUTH` are this one caller, so that changing a token breaks nothing in flight.
 */
export const CONFIGURED_CALLER: Caller = {
  name: 'default',
  token: 'default',
  roles: new Set(roles),
  rateLimit: null,
  budget: [],
  reservation: {},
  usersReservation: {},
  quarantine: null,
  sponsors: 'any',
  sender: null,
  ruleSet: null,
  rules: null,
};
