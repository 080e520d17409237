import type { Command } from './find-packages.js';

const IDENTIFIER = /^(?:[a-z]\w*|_\w+)$/i;
const ADDRESS = /^0x[0-9a-f]+$/i;
const SEPARATORS = /::|[<>,\s]+/;

/**
 * The first name of a module, function or type in the commands that Move does not allow; null: all are allowed. Nodes
 * repeat such a name in their refusal, where it could pass for another refusal's words.
 */
export function findInvalidIdentifier(commands: readonly Command[]): string | null {
  for (const { MoveCall: call, MakeMoveVec: vector } of commands) {
    const types = [...(call?.typeArguments ?? []), vector?.type ?? ''];
    const names = call ? [call.module, call.function] : [];
    const invalid =
      names.find((name) => !IDENTIFIER.test(name)) ??
      types.flatMap((type) => type.split(SEPARATORS)).find((name) => !mayStandInType(name));
    if (invalid !== undefined) return invalid;
  }
  return null;
}

function mayStandInType(name: string): boolean {
  return name === '' || IDENTIFIER.test(name) || ADDRESS.test(name);
}
