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

/** Refusal of a transaction that the client can correct: -32002. */
export function refuse(message: string): EngineError {
  return new EngineError(-32002, message);
}
