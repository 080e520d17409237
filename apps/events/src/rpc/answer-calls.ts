import { type CallMethod, JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import type { RpcMethod, RpcParts } from './method-table.js';

/** Finds and runs the methods. */
export function answerCalls(parts: RpcParts, methods: ReadonlyMap<string, RpcMethod>): CallMethod {
  return async (name, params, context) => {
    const method = methods.get(name);
    if (method === undefined) {
      throw new JsonRpcError(JsonRpcCode.methodNotFound, 'Method not found');
    }
    return method(parts, params, context, name);
  };
}
