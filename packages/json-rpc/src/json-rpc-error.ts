/** Codes of JSON-RPC 2.0, those that ledger nodes add, and our own for a subscription that the server ends. */
export const JsonRpcCode = {
  parseError: -32700,
  requestTooBig: -32701,
  responseTooBig: -32702,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** What stands behind the server failed. */
  callFailed: -32000,
  /** The client's transaction is at fault. */
  transactionClientError: -32002,
  tooManySubscriptions: -32006,
  /** The client has used up what it may have of the server now. */
  tooManyRequests: -32009,
  /** A subscription ended since its client reads too slowly. */
  slowConsumer: -32010,
  /** A subscription ended since the server is stopping. */
  shuttingDown: -32011,
  /** Nothing is known of the transaction's outcome; asking again later may help. */
  transient: -32050,
} as const;

/** Ends a method call with an error object: `{code, message, data?}`. */
export class JsonRpcError extends Error {
  override readonly name = 'JsonRpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** -32602 that names the parameter and why it was refused. */
export function invalidParams(message: string): JsonRpcError {
  return new JsonRpcError(JsonRpcCode.invalidParams, message);
}
