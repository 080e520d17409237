import type { InputFault } from './input-fault.js';
import { EngineError } from './engine-error.js';

/** The party that finds the fault: the node, in the bytes alone, or the validators, in their objects. */
export type FoundBy = 'node' | 'validators';

/** A node's prefix for a fault of the inputs. */
export const INTRODUCTION =
  'Transaction execution failed due to issues with transaction inputs, please review the errors and try again:';

/** Refusal because of the inputs: -32002. Its message is that of a node of 2025. */
export class InputsRefused extends EngineError {
  constructor(
    readonly fault: InputFault,
    readonly foundBy: FoundBy,
  ) {
    super(-32002, `${INTRODUCTION} ${fault.text}.`);
  }
}

/** Refusal because of the bytes alone, independent of the ledger's objects. */
export function refuseBytes(fault: InputFault): InputsRefused {
  return new InputsRefused(fault, 'node');
}

/** Refusal because of the objects that the transaction names. */
export function refuseInputs(fault: InputFault): InputsRefused {
  return new InputsRefused(fault, 'validators');
}
