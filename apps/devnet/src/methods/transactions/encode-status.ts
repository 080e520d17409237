import type { bcs } from '@iota/iota-sdk/bcs';
import type { ExecutionStatus } from '../../engine/engine-interface.js';

type StatusBcs = NonNullable<(typeof bcs.TransactionEffects.$inferInput)['V1']>['status'];

/** Structs, whose names BCS leaves out. */
const STRUCT = /\b(?:MoveLocation|ModuleId) \{/g;
/** Fields that hold a variant, with or without fields. */
const VARIANT = /"(kind|upgradeError)": (\w+)( \{[^}]*\})?/g;

/** BCS has variants where the JSON has the debugging format of the node's language: the text is read back, without devnet's own hints after it. */
export function encodeStatus(status: ExecutionStatus): StatusBcs {
  if (status.status === 'success') return { Success: true };
  const [, text, command] = /^(.*?)(?: in command (\d+).*)?$/s.exec(status.error)!;
  return { Failed: { error: readVariant(text!) as never, command: command ?? null } };
}

/** `Name`, `Name { field: value }` or `Name(value, value)`. */
function readVariant(text: string): object {
  const [, name, content] = /^(\w+)\s*(.*)$/s.exec(text)!;
  if (content === '') return { [name!]: true };
  const json = content!
    .replace(/\b(?:Identifier|Some)\(("[^"]*")\)/g, '$1')
    .replace(/\bNone\b/g, 'null')
    .replace(STRUCT, '{')
    .replace(/\b(?:0x)?([0-9a-f]{64})\b/g, '"0x$1"')
    .replace(/\b(\w+): /g, (_all, field: string) => `"${camelCase(field)}": `)
    .replace(VARIANT, (_all, field, variant, fields) => {
      return `"${field}": {"${variant}": ${fields ?? 'true'}}`;
    })
    .replace(/^\((.*)\)$/s, '[$1]')
    // Codes may exceed what a JSON number holds.
    .replace(/\b\d+\b(?=\]|,| \})/g, '"$&"');
  return { [name!]: JSON.parse(json) as unknown };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
