import { fromBase64 } from '@iota/iota-sdk/utils';
import { ArgumentSlots, type Slot } from './argument-slots.js';
import type { CallArgument, Program } from './decode-transaction.js';
import { ExecutionFailure } from './execution-failure.js';
import type { ExecutionSession } from './execution-session.js';
import { encodeValue, typeOfValue, type RuntimeObject } from './runtime-values.js';
import { runCommand } from './run-command.js';

export type CommandResults = readonly (readonly (readonly [Uint8Array, string])[])[];

/**
 * Runs the commands in order. Throws `ExecutionFailure` whose text names the command; `inspect` asks
 * for the values of every command.
 */
export function runProgram(
  session: ExecutionSession,
  program: Program,
  gasCoin: RuntimeObject,
  { inspect }: { readonly inspect: boolean },
): CommandResults {
  const gas: Slot = { content: { kind: 'object', object: gasCoin }, access: 'gas' };
  const inputs = program.inputs.map((input) => inputSlot(session, input));
  const results: Slot[][] = [];
  const shown: (readonly [Uint8Array, string])[][] = [];
  program.commands.forEach((command, index) => {
    try {
      const values = runCommand(session, command, new ArgumentSlots(gas, inputs, results));
      results.push(values.map((content) => ({ content, access: 'result' })));
      if (inspect)
        shown.push(values.map((each) => [encodeValue(each), typeOfValue(each)] as const));
    } catch (error) {
      if (!(error instanceof ExecutionFailure)) throw error;
      throw new ExecutionFailure(`${error.message} in command ${index}`, { cause: error });
    }
  });
  if (!inspect) requireUsed(results);
  return shown;
}

function inputSlot(session: ExecutionSession, input: CallArgument): Slot {
  if (input.Pure) {
    return { content: { kind: 'pure', bytes: fromBase64(input.Pure.bytes) }, access: 'owned' };
  }
  // There is no function here that receives: such an input can only be left alone.
  if (input.Object?.Receiving) return { content: null, access: 'read-only' };
  const shared = input.Object?.SharedObject;
  const id = shared?.objectId ?? input.Object?.ImmOrOwnedObject?.objectId ?? '';
  const object = session.objects.get(id)!;
  const content = { kind: 'object', object } as const;
  if (shared) return { content, access: shared.mutable ? 'shared' : 'read-only' };
  return { content, access: object.owner === 'Immutable' ? 'read-only' : 'owned' };
}

/** Objects cannot be dropped: every one that was returned must have gone somewhere. */
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
