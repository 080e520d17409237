import type { AccessRule, RuleSet } from './access-rules.js';
import type { ReservationSubject } from './access-subject.js';

/** Whether any transaction could be allowed with a reservation, and which rule says that none can. */
export interface ReservationDecision {
  readonly allowed: boolean;
  /** Null: the policy. */
  readonly rule: AccessRule | null;
}

/** Decides what needs no transaction: denied is a reservation that no transaction could use. */
export function decideReservation(
  { policy, rules }: RuleSet,
  subject: ReservationSubject,
): ReservationDecision {
  if (policy === 'disabled') return { allowed: true, rule: null };
  for (const rule of rules) {
    const certain = ifCertain(rule, subject);
    if (certain === false) continue;
    if (rule.action !== 'deny') return { allowed: true, rule };
    if (certain) return { allowed: false, rule };
  }
  return { allowed: policy === 'allow-all', rule: null };
}

/** Whether a rule matches; null: that depends on the transaction. */
function ifCertain({ conditions, limits }: AccessRule, subject: ReservationSubject) {
  let certain = limits.length === 0;
  for (const condition of conditions) {
    if (condition.needs === 'transaction') certain = false;
    else if (!condition.holds(subject)) return false;
  }
  return certain ? true : null;
}
