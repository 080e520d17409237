import { EngineError } from '../engine/engine-error.js';
import { type CallContext as Transport, JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { CallContext, type NodeDependencies } from './call-context.js';
import { METHODS } from './method-table.js';
import type { RpcMethod } from './rpc-method.js';

const BY_NAME: ReadonlyMap<string, RpcMethod> = new Map(
  METHODS.map((method) => [method.name, method]),
);

/** Runs one method by name; parameters may be given by position or by name. Throws `JsonRpcError` and `ConnectionDropped`. */
export async function runMethod(
  node: NodeDependencies,
  name: string,
  params: unknown,
  transport: Transport,
): Promise<unknown> {
  const method = BY_NAME.get(name);
  if (method === undefined) {
    throw new JsonRpcError(JsonRpcCode.methodNotFound, 'Method not found');
  }
  try {
    return await method.run(new CallContext(node, name, transport), byPosition(method, params));
  } catch (error) {
    throw error instanceof EngineError ? new JsonRpcError(error.code, error.message) : error;
  }
}

function byPosition(method: RpcMethod, params: unknown): readonly unknown[] {
  if (Array.isArray(params)) return params;
  const named = (params ?? {}) as Record<string, unknown>;
  return method.params.map((name) => named[name]);
}
