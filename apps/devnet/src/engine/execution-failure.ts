/** Reason why a transaction failed during execution, in a node's words; `runProgram` adds the command's number. */
export class ExecutionFailure extends Error {
  /** `hint`: the alternative on devnet to what a node would have done; follows the node's words. */
  constructor(
    message: string,
    readonly hint = '',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** `kind` is one of the node's kinds of argument errors. */
export function argumentFailure(index: number, kind: string): ExecutionFailure {
  return new ExecutionFailure(`CommandArgumentError { arg_idx: ${index}, kind: ${kind} }`);
}

/** Position of an abort in Move code. */
export interface MoveLocation {
  readonly packageId: string;
  readonly module: string;
  readonly functionName: string;
  readonly functionIndex: number;
}

export function abort(location: MoveLocation, code: bigint): ExecutionFailure {
  const { packageId, module, functionName, functionIndex } = location;
  return new ExecutionFailure(
    `MoveAbort(MoveLocation { module: ModuleId { address: ${packageId.slice(2)}, name: Identifier("${module}") }, ` +
      `function: ${functionIndex}, instruction: 0, function_name: Some("${functionName}") }, ${code})`,
  );
}
