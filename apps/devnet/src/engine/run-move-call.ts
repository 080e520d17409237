import type { ArgumentSlots } from './argument-slots.js';
import type { Command } from './transaction-data.js';
import { argumentFailure, type RuntimeValue } from './execution-values.js';
import { ExecutionFailed } from './execution-failed.js';
import type { ExecutionSession } from './execution-session.js';
import { findFunction, findModule, NO_MOVE } from './move/move-library.js';
import { instantiate, isTxContext, type MoveType } from './move-type.js';
import { showType } from './type-tag.js';

type MoveCall = NonNullable<Command['MoveCall']>;

/** Calls that no bytecode can match: a module that does not exist, or another number of type arguments. */
const UNVERIFIABLE = 'VMVerificationOrDeserializationError';

/** Finds the function, matches the arguments with its parameters and runs it. Throws `ExecutionFailed`. */
export function runMoveCall(
  session: ExecutionSession,
  call: MoveCall,
  slots: ArgumentSlots,
): readonly RuntimeValue[] {
  const definition = findFunction(call.package, call.module, call.function);
  if (!definition) {
    const isModule = findModule(call.package, call.module) !== undefined;
    throw new ExecutionFailed(isModule ? 'FunctionNotFound' : UNVERIFIABLE, NO_MOVE);
  }
  const { function: target, index } = definition;
  if (call.typeArguments.length !== target.typeParameters.length) {
    throw new ExecutionFailed(UNVERIFIABLE);
  }
  const parameters = target.parameters.filter((each) => !isTxContext(each));
  if (parameters.length !== call.arguments.length) throw new ExecutionFailed('ArityMismatch');
  const typeArguments = call.typeArguments.map(showType);
  const values = parameters.map((parameter, position) =>
    takeArgument(slots, call.arguments[position]!, position, parameter, typeArguments),
  );
  checkAbilities(values, parameters, target.typeParameters);
  session.facts.meter.charge(target.units);
  const location = {
    packageId: call.package,
    module: call.module,
    functionName: call.function,
    functionIndex: index,
  };
  return target.run({ session, typeArguments, values, location });
}

function takeArgument(
  slots: ArgumentSlots,
  argument: MoveCall['arguments'][number],
  position: number,
  parameter: MoveType,
  typeArguments: readonly string[],
): RuntimeValue {
  const type = instantiate(parameter, typeArguments);
  if (parameter.kind !== 'reference') {
    if (argument.$kind === 'GasCoin') throw argumentFailure(position, 'InvalidGasCoinUsage');
    return slots.take(argument, position, 'by-value', type);
  }
  const use = parameter.mutable ? 'by-mutable-reference' : 'by-reference';
  return slots.take(argument, position, use, type);
}

/** A generic parameter that requires an object with `store` accepts nothing else. */
function checkAbilities(
  values: readonly RuntimeValue[],
  parameters: readonly MoveType[],
  constraints: readonly (readonly string[])[],
): void {
  parameters.forEach((parameter, position) => {
    if (parameter.kind !== 'parameter' || constraints[parameter.index]?.length === 0) return;
    const value = values[position];
    const stored = value?.kind === 'object' && value.object.layout.abilities.includes('Store');
    if (!stored) {
      throw new ExecutionFailed(
        `TypeArgumentError { argument_idx: ${parameter.index}, kind: ConstraintNotSatisfied }`,
      );
    }
  });
}
