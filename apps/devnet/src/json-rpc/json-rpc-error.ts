/** Codes of JSON-RPC 2.0 and those a ledger node adds. */
export const JsonRpcCode = {
  parseError: -32700,
  requestTooBig: -32701,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  callFailed: -32000,
  /** The client's transaction is at fault. */
  transactionClientError: -32002,
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
  ) {
    super(message);
  }
}

/** -32602 that names the parameter and why it was refused. */
export function invalidParams(message: string): JsonRpcError {
  return new JsonRpcError(JsonRpcCode.invalidParams, message);
}
