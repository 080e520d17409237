import type { ObjectReference } from './engine-records.js';
import type { InputFault } from './input-fault.js';

/** A refusal with the node's JSON-RPC code and its own text. */
export class EngineError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
    this.name = 'EngineError';
  }
}

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

/**
 * Refusal because other transactions hold locks on the inputs: -32002. `locked`: the inputs by transaction.
 */
export class LockConflict extends EngineError {
  constructor(
    message: string,
    readonly locked: ReadonlyMap<string, readonly ObjectReference[]>,
  ) {
    super(-32002, message);
  }
}

/** Refusal of a transaction that the client can correct: -32002. */
export function refuse(message: string): EngineError {
  return new EngineError(-32002, message);
}

/** Refusal because of the bytes alone, independent of the ledger's objects. */
export function refuseBytes(fault: InputFault): InputsRefused {
  return new InputsRefused(fault, 'node');
}

/** Refusal because of the objects that the transaction names. */
export function refuseInputs(fault: InputFault): InputsRefused {
  return new InputsRefused(fault, 'validators');
}
