export type { AccessDecision, RuleTrace } from './access-decision.js';
export {
  type AccessPolicy,
  type AccessRule,
  type AccessRules,
  type DeniedReservation,
  type RuleSet,
} from './access-rules.js';
export type { AccessSubject, ReservationSubject } from './access-subject.js';
export { AccessUndecided } from './access-undecided.js';
export { decideAccess, type DecisionParts } from './decide-access.js';
export { decideReservation, type ReservationDecision } from './decide-reservation.js';
export { readUnits } from './conditions/read-comparison.js';
export { readTimeSpan } from './conditions/read-time-span.js';
export type { Hook } from './hooks/hook.js';
export type { HookAnswer } from './hooks/hook-answer.js';
export { HookCaller } from './hooks/hook-caller.js';
export { SIGNATURE_HEADER } from './hooks/sign-request.js';
export { readAccessRules, readCaps } from './read-access-rules.js';
export type { KnownUsage, KnownUsages, UsageCheck } from './usage/usage-check.js';
export type { UsageLimit } from './usage/usage-limit.js';
export { warnAboutRules } from './warnings/warn-about-rules.js';
