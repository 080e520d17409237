import type { ObjectReference } from './engine-records.js';
import { EngineError } from './engine-error.js';

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
