import { JsonRpcCode } from './json-rpc-error.js';

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
