import { JsonRpcCode, JsonRpcError } from './json-rpc-error.js';

/** Calls one method by name; ends with its result or throws. */
export type CallMethod = (method: string, params: unknown) => Promise<unknown>;

/** Tells the transport to break the connection instead of answering. */
export class ConnectionDropped extends Error {
  override readonly name = 'ConnectionDropped';
}

type Id = string | number | null;

/**
 * Answers one HTTP body of JSON-RPC 2.0, single or batch. Null when nothing is to be answered
 * (notifications only). Throws only `ConnectionDropped`.
 */
export async function answerJsonRpc(body: string, call: CallMethod): Promise<string | null> {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return errorReply(null, new JsonRpcError(JsonRpcCode.parseError, 'Parse error'));
  }
  if (!Array.isArray(message)) return answerOne(message, call);
  if (message.length === 0) return errorReply(null, invalidRequest());
  const replies = await Promise.all(message.map((one) => answerOne(one, call)));
  const shown = replies.filter((reply) => reply !== null);
  return shown.length === 0 ? null : `[${shown.join(',')}]`;
}

async function answerOne(message: unknown, call: CallMethod): Promise<string | null> {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return errorReply(null, invalidRequest());
  }
  const { jsonrpc, id, method, params } = message as Record<string, unknown>;
  const idIsValid = id === undefined || id === null || isId(id);
  const paramsAreValid = params === undefined || (typeof params === 'object' && params !== null);
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !idIsValid || !paramsAreValid) {
    return errorReply(isId(id) ? id : null, invalidRequest());
  }
  let reply: string;
  try {
    const result = await call(method, params);
    reply = `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},"result":${JSON.stringify(result ?? null)}}`;
  } catch (error) {
    if (error instanceof ConnectionDropped) throw error;
    reply = errorReply(id ?? null, error);
  }
  return id === undefined ? null : reply;
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function invalidRequest(): JsonRpcError {
  return new JsonRpcError(JsonRpcCode.invalidRequest, 'Invalid request');
}

function errorReply(id: Id, error: unknown): string {
  const known =
    error instanceof JsonRpcError
      ? error
      : new JsonRpcError(JsonRpcCode.internal, `Internal error: ${(error as Error)?.message}`);
  const { code, message, data } = known;
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code, message, ...(data !== undefined && { data }) },
  });
}
