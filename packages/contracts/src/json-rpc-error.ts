/** Codes of JSON-RPC 2.0, those that ledger nodes add, and our own for subscriptions that the server ends. */
export const JsonRpcCode = {
  parseError: -32700,
  requestTooBig: -32701,
  responseTooBig: -32702,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** The call failed, or the server's upstream did. */
  callFailed: -32000,
  /** The transaction is invalid. */
  transactionClientError: -32002,
  tooManySubscriptions: -32006,
  /** The client has exceeded a limit; it may retry later. */
  tooManyRequests: -32009,
  /** The subscription ended because its client reads too slowly. */
  slowConsumer: -32010,
  /** The subscription ended because the server is shutting down. */
  shuttingDown: -32011,
  /** The outcome of the transaction is unknown; retrying later may help. */
  transient: -32050,
} as const;

/** An error that the client receives as the error object `{code, message, data?}`. */
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

/** -32602; `message` names the parameter and why it was refused. */
export function invalidParams(message: string): JsonRpcError {
  return new JsonRpcError(JsonRpcCode.invalidParams, message);
}

/** The response to a message that was not read, so that its id is unknown. */
export function rpcFailure(code: number, message: string) {
  return { jsonrpc: '2.0', id: null, error: { code, message } } as const;
}

/** The response to a body that was refused with an HTTP status before it was read. */
export function bodyRefusal(status: number, bodyLimitBytes: number) {
  if (status === 413) {
    const message = `Request is too big: the limit is ${bodyLimitBytes} bytes`;
    return rpcFailure(JsonRpcCode.requestTooBig, message);
  }
  return status < 500
    ? rpcFailure(JsonRpcCode.invalidRequest, 'Invalid request: body cannot be read')
    : rpcFailure(JsonRpcCode.internal, 'Internal error');
}
