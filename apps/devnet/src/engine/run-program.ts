import { fromBase64 } from '@iota/iota-sdk/utils';
import { ArgumentSlots, type Slot } from './argument-slots.js';
import type { CallArgument, Program } from './decode-transaction.js';
import { ExecutionFailure } from './execution-failure.js';
import type { ExecutionSession } from './execution-session.js';
import type { RuntimeObject } from './runtime-values.js';
import { runCommand } from './run-command.js';

/** Runs the commands in order. Throws `ExecutionFailure` whose message names the command. */
export function runProgram(
  session: ExecutionSession,
  program: Program,
  gasCoin: RuntimeObject,
): void {
  const gas: Slot = { content: { kind: 'object', object: gasCoin }, access: 'gas' };
  const inputs = program.inputs.map((input) => inputSlot(session, input));
  const results: Slot[][] = [];
  program.commands.forEach((command, index) => {
    try {
      const values = runCommand(session, command, new ArgumentSlots(gas, inputs, results));
      results.push(values.map((content) => ({ content, access: 'result' })));
    } catch (error) {
      if (!(error instanceof ExecutionFailure)) throw error;
      const text = `${error.message} in command ${index}`;
      const { hint } = error;
      throw new ExecutionFailure(hint ? `${text}. ${hint}` : text, hint, { cause: error });
    }
  });
  requireUsed(results);
}

function inputSlot(session: ExecutionSession, input: CallArgument): Slot {
  if (input.Pure) {
    return { content: { kind: 'pure', bytes: fromBase64(input.Pure.bytes) }, access: 'owned' };
  }
  // No function here receives objects: such an input stays unused.
  if (input.Object?.Receiving) return { content: null, access: 'read-only' };
  const shared = input.Object?.SharedObject;
  const id = shared?.objectId ?? input.Object?.ImmOrOwnedObject?.objectId ?? '';
  const object = session.objects.get(id)!;
  const content = { kind: 'object', object } as const;
  if (shared) return { content, access: shared.mutable ? 'shared' : 'read-only' };
  return { content, access: object.owner === 'Immutable' ? 'read-only' : 'owned' };
}

/** Objects cannot be dropped: every returned object must be used. */
function requireUsed(results: readonly (readonly Slot[])[]): void {
  results.forEach((slots, result) => {
    slots.forEach(({ content }, position) => {
      if (content !== null && content.kind !== 'raw') {
        throw new ExecutionFailure(
          `UnusedValueWithoutDrop { result_idx: ${result}, secondary_idx: ${position} }`,
        );
      }
    });
  });
}
