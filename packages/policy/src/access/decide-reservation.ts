import type { AccessRule, RuleSet } from './access-rules.js';
import type { ReservationSubject } from './access-subject.js';

const SPONSOR = 'sponsor';

/** Whether any transaction could be allowed with a reservation, and the rule that decided. */
interface ReservationDecision {
  readonly allowed: boolean;
  /** Null: the policy. */
  readonly rule: AccessRule | null;
}

/** Denies a reservation that no transaction could use, based on the conditions that need no transaction. */
export function decideReservation(
  { policy, rules }: RuleSet,
  subject: ReservationSubject,
): ReservationDecision {
  if (policy === 'disabled') return { allowed: true, rule: null };
  for (const rule of rules) {
    const matches = matchesReservation(rule, subject);
    if (matches === false) continue;
    if (rule.action !== 'deny') return { allowed: true, rule };
    if (matches) return { allowed: false, rule };
  }
  return { allowed: policy === 'allow-all', rule: null };
}

/** Whether a rule matches; null: that depends on the transaction. */
function matchesReservation({ conditions, limits }: AccessRule, subject: ReservationSubject) {
  let certain = limits.length === 0;
  for (const condition of conditions) {
    // A sponsor that is not chosen yet may be the one that is named.
    const isOpen = condition.name === SPONSOR && subject.sponsor === null;
    if (condition.needs === 'transaction' || isOpen) certain = false;
    else if (!condition.holds(subject)) return false;
  }
  return certain ? true : null;
}
