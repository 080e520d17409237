export { areAsAssumed, changesAssumedBy } from './assumed-changes.js';
export { decideAccess, mayAllowAbstractAccounts } from './decide-access.js';
export { decideReservation } from './decide-reservation.js';
export type { AccessDecision, RuleTrace } from './access-decision.js';
export type { AccessRule, AccessRules, RuleSet } from './access-rules.js';
export type { AccessSubject, ReservationSubject } from './access-subject.js';
export { AccessUndecided } from './access-undecided.js';
export { resolveSponsor } from './conditions/reservation-conditions.js';
export { parseHttpUrl, readTimeSpan, readUnits } from './conditions/read-operands.js';
export type { Hook, HookAnswer } from './hooks/hook.js';
export { HookCaller } from './hooks/hook-caller.js';
export { readAccessRules, readCaps, type RuleOptions } from './read-access-rules.js';
export {
  claimedComparison,
  type KnownUsage,
  type KnownUsages,
  type UsageCheck,
  type UsageLimit,
} from './usage/usage-limit.js';
export { warnAboutLimits, warnAboutRules } from './warn-about-rules.js';
