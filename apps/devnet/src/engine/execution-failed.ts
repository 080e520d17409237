/**
 * Reason why a transaction failed during execution, in a node's words; `runProgram` adds the command's
 * number.
 */
export class ExecutionFailed extends Error {
  /** `hint`: the alternative on devnet to what a node would have done. */
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
