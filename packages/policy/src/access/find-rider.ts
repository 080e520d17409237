import type { CommandKind, DecodedTransaction } from '@forecourt/ledger';
import type { AccessRule } from './access-rules.js';

/** No condition but `command-kind` speaks for them. */
const ONLY_BY_NAME = new Set<CommandKind>(['Publish', 'Upgrade']);

/** A rule with one of these says what transactions contain, and is taken at its word: Move calls and nothing else. */
export const ABOUT_CONTENT = new Set([
  'move-call-package-address',
  'move-call-function',
  'type-argument',
  'object-id',
]);

/**
 * Why a rule whose conditions hold for every part of a transaction does not allow it all the same: it does nothing, or a
 * command rides along that the rule does not speak for. Null when it allows it.
 */
export function findRider(
  { conditions, commandKinds: named }: AccessRule,
  { commandKinds }: DecodedTransaction,
): string | null {
  if (commandKinds.length === 0) return 'a transaction without commands is allowed by no rule';
  const isAboutContent = conditions.some(({ name }) => ABOUT_CONTENT.has(name));
  const isUnspokenFor = (kind: CommandKind) =>
    named?.has(kind) !== true &&
    (ONLY_BY_NAME.has(kind) || (isAboutContent && kind !== 'MoveCall'));
  const riders = [...new Set(commandKinds.filter(isUnspokenFor))];
  if (riders.length === 0) return null;
  const needed = [...new Set([...(named ?? []), ...commandKinds])].join(', ');
  return `it has commands that the rule does not name, ${riders.join(', ')}; to allow them: command-kind: [${needed}]`;
}
