import type { AccessRule } from './access-rules.js';
import type { AccessSubject } from './access-subject.js';
import type { Condition, Quantifier } from './conditions/condition.js';
import { findRider } from './find-rider.js';

/** A condition that does not hold, or in words what rides along that the rule does not speak for. */
export type Unmet = Condition | string;

/**
 * Why a rule does not match; null when it does. For `every` part of the transaction its conditions must hold and nothing
 * may ride along. Waits only where a condition does. Throws `AccessUndecided`.
 */
export function findUnmet(
  rule: AccessRule,
  subject: AccessSubject,
  quantifier: Quantifier,
  from = 0,
): Unmet | null | Promise<Unmet | null> {
  const { conditions } = rule;
  for (let index = from; index < conditions.length; index++) {
    const condition = conditions[index]!;
    const held = condition.holds(subject, quantifier);
    if (held === true) continue;
    if (held === false) return condition;
    return held.then((later) =>
      later ? findUnmet(rule, subject, quantifier, index + 1) : condition,
    );
  }
  return quantifier === 'every' ? findRider(rule, subject.transaction) : null;
}

export function describeUnmet(unmet: Unmet): string {
  return typeof unmet === 'string' ? unmet : `${unmet.name} does not hold`;
}
