import type { AccessRule } from './access-rules.js';
import type { AccessSubject } from './access-subject.js';
import type { Condition, Quantifier } from './conditions/condition.js';
import { findUncoveredCommand } from './find-uncovered-command.js';

/** A condition that does not hold, or a sentence about a command that the rule does not cover. */
export type Mismatch = Condition | string;

/**
 * The reason why a rule does not match; null if it does. With `every`, the rule must also cover every command. Returns
 * a promise only if a condition does. Throws `AccessUndecided`.
 */
export function findMismatch(
  rule: AccessRule,
  subject: AccessSubject,
  quantifier: Quantifier,
  from = 0,
): Mismatch | null | Promise<Mismatch | null> {
  const { conditions } = rule;
  for (let index = from; index < conditions.length; index++) {
    const condition = conditions[index]!;
    const held = condition.holds(subject, quantifier);
    if (held === true) continue;
    if (held === false) return condition;
    return held.then((later) =>
      later ? findMismatch(rule, subject, quantifier, index + 1) : condition,
    );
  }
  return quantifier === 'every' ? findUncoveredCommand(rule, subject.transaction) : null;
}

export function describeMismatch(mismatch: Mismatch): string {
  return typeof mismatch === 'string' ? mismatch : `${mismatch.name} does not hold`;
}
