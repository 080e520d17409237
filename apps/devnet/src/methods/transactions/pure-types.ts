import type { EngineInterface, TransactionData } from '../../engine/engine-interface.js';

type Programmable = NonNullable<TransactionData['kind']['ProgrammableTransaction']>;
type Command = Programmable['commands'][number];
type MoveCall = NonNullable<Command['MoveCall']>;
type Argument = NonNullable<Command['SplitCoins']>['coin'];

/** The use of a pure input shows its type; the bytes themselves do not. */
export function pureTypes(
  commands: readonly Command[],
  engine: EngineInterface,
): Map<number, string> {
  const types = new Map<number, string>();
  const note = (argument: Argument, type: string | null) => {
    if (argument.$kind === 'Input' && type !== null) types.set(argument.Input, type);
  };
  for (const command of commands) {
    if (command.SplitCoins) for (const amount of command.SplitCoins.amounts) note(amount, 'u64');
    if (command.TransferObjects) note(command.TransferObjects.address, 'address');
    const call = command.MoveCall;
    call?.arguments.forEach((argument, index) => note(argument, pureTypeOf(engine, call, index)));
  }
  return types;
}

/**
 * Looks a call's parameter up in its package: `u64`, `address`, …; null for an unknown one, objects and
 * vectors.
 */
function pureTypeOf(engine: EngineInterface, call: MoveCall, index: number): string | null {
  const fn = engine.getNormalizedFunction(call.package, call.module, call.function) as {
    parameters?: readonly unknown[];
  } | null;
  const type = fn?.parameters?.[index];
  if (typeof type === 'string') return type.toLowerCase();
  const struct = (type as { Struct?: { address: string; module: string; name: string } } | null)
    ?.Struct;
  if (struct?.module === 'string' && struct.name === 'String') return '0x1::string::String';
  return struct?.module === 'object' && struct.name === 'ID' ? 'address' : null;
}
