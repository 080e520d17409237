import type { ObjectReference } from './engine-records.js';

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

/** A fault of a transaction's inputs. `missing`: an object or a package was not found. */
export interface InputFault {
  readonly text: string;
  readonly missing: boolean;
}

/** Who finds the fault: the node itself, in the bytes alone, or the validators, in their objects. */
export type FoundBy = 'node' | 'validators';

/** How a node introduces faults of the inputs. */
export const INTRODUCTION =
  'Transaction validator signing failed due to issues with transaction inputs, please review the errors and try again:';

/** Refusal because of the inputs, one line per fault: -32002. */
export class InputsRefused extends EngineError {
  constructor(
    readonly faults: readonly InputFault[],
    readonly foundBy: FoundBy,
  ) {
    super(-32002, describeFaults(INTRODUCTION, faults));
  }
}

/** Refusal because other transactions hold locks on the inputs: -32002. `locked`: which of them by which transaction. */
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

/** Refusal because of what the bytes say, whatever the ledger's objects are. */
export function refuseBytes(faults: readonly string[]): InputsRefused {
  return new InputsRefused(
    faults.map((text) => ({ text, missing: false })),
    'node',
  );
}

/** Refusal because of the objects that the transaction names. */
export function refuseInputs(faults: readonly (string | InputFault)[]): InputsRefused {
  return new InputsRefused(
    faults.map((fault) => (typeof fault === 'string' ? { text: fault, missing: false } : fault)),
    'validators',
  );
}

export function describeFaults(introduction: string, faults: readonly InputFault[]): string {
  return [introduction, ...faults.map(({ text }) => `- ${text}`)].join('\n');
}
