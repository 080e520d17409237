import type { CommandKind, DecodedTransaction } from '@forecourt/ledger';
import type { AccessRule } from './access-rules.js';

/** Covered only by `command-kind`. */
const NEEDS_COMMAND_KIND = new Set<CommandKind>(['Publish', 'Upgrade']);

/** A rule with one of these restricts the contents of transactions: it covers only Move calls. */
export const CONTENT_CONDITIONS = new Set([
  'move-call-package-address',
  'move-call-function',
  'type-argument',
  'object-id',
]);

/**
 * The reason why a rule does not allow a transaction although its conditions hold: the transaction has no commands, or
 * the rule does not cover one of them. Null if the rule allows it.
 */
export function findUncoveredCommand(
  { conditions, commandKinds: named }: AccessRule,
  { commandKinds }: DecodedTransaction,
): string | null {
  if (commandKinds.length === 0) return 'no rule allows a transaction without commands';
  const restrictsContent = conditions.some(({ name }) => CONTENT_CONDITIONS.has(name));
  const isUncovered = (kind: CommandKind) =>
    named?.has(kind) !== true &&
    (NEEDS_COMMAND_KIND.has(kind) || (restrictsContent && kind !== 'MoveCall'));
  const uncovered = [...new Set(commandKinds.filter(isUncovered))];
  if (uncovered.length === 0) return null;
  const needed = [...new Set([...(named ?? []), ...commandKinds])].join(', ');
  return `the rule does not cover ${uncovered.join(', ')}; to allow them, write command-kind: [${needed}]`;
}
