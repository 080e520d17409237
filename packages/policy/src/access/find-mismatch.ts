import type { CommandKind, DecodedTransaction } from '@forecourt/ledger';
import type { AccessRule } from './access-rules.js';
import { type AccessSubject, measured } from './access-subject.js';
import type { Condition, Quantifier } from './conditions/condition.js';

/** A condition that does not hold, or a sentence about a command that the rule does not cover. */
export type Mismatch = Condition | string;

/**
 * The reason why a rule does not match; null if it does. With `every`, the rule must also cover every
 * command. Returns a promise only if a condition does. Throws `AccessUndecided`.
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
    const held = measured(subject, () => condition.holds(subject, quantifier));
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

/** Covered only by `command-kind`. */
const NEEDS_COMMAND_KIND = new Set<CommandKind>(['Publish', 'Upgrade']);

/** A rule with one of these restricts the contents of transactions: it covers only Move calls. */
export const CONTENT_CONDITIONS = new Set([
  'move-call-package-address',
  'move-call-function',
  'type-argument',
  'object-id',
  'argument',
]);

/** They restrict the functions of all calls; without them, `argument` does. */
const FUNCTION_CONDITIONS = new Set(['move-call-package-address', 'move-call-function']);

/**
 * The reason why a rule does not allow a transaction although its conditions hold: the transaction has no
 * commands, or the rule does not cover one of them. Null if the rule allows it.
 */
function findUncoveredCommand(
  { conditions, commandKinds: named, namesFunction }: AccessRule,
  { commandKinds, moveCalls }: DecodedTransaction,
): string | null {
  if (commandKinds.length === 0) return 'no rule allows a transaction without commands';
  if (namesFunction && !conditions.some(({ name }) => FUNCTION_CONDITIONS.has(name))) {
    const other = moveCalls.find((call) => !namesFunction(call));
    if (other) {
      return `its argument does not name ${other.module}::${other.function}; to allow other functions too, write move-call-function`;
    }
  }
  const restrictsContent = conditions.some(({ name }) => CONTENT_CONDITIONS.has(name));
  const isUncovered = (kind: CommandKind) =>
    named?.has(kind) !== true &&
    (NEEDS_COMMAND_KIND.has(kind) || (restrictsContent && kind !== 'MoveCall'));
  const uncovered = [...new Set(commandKinds.filter(isUncovered))];
  if (uncovered.length === 0) return null;
  const needed = [...new Set([...(named ?? []), ...commandKinds])].join(', ');
  return `the rule does not cover ${uncovered.join(', ')}; to allow them, write command-kind: [${needed}]`;
}
