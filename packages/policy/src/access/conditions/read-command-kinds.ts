import { type CommandKind, commandKinds } from '@forecourt/ledger';
import type { YamlValue } from '../../yaml/index.js';
import { ANY } from './read-addresses.js';

/** `MoveCall`, `TransferObjects`, … or a list of these; `*` names every kind. Throws `InvalidFile`. */
export function readCommandKinds(value: YamlValue): ReadonlySet<CommandKind> {
  if (!value.isList && !value.isMap && value.text() === ANY) return new Set(commandKinds);
  return new Set(value.list().map((one) => one.parse(readCommandKind)));
}

/** Throws `Error` with the allowed kinds. */
export function readCommandKind(text: string): CommandKind {
  const kind = commandKinds.find((known) => known === text);
  if (!kind) throw new Error(`must be one of ${commandKinds.join(', ')}, or a list of these`);
  return kind;
}
