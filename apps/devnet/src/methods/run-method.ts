import type { CallContext as Transport } from '@forecourt/json-rpc';
import { CallContext, type NodeDependencies } from './call-context.js';
import { METHODS } from './method-table.js';
import type { RpcMethod } from './rpc-method.js';
import { unknownMethod } from './unavailable-methods.js';

const BY_NAME: ReadonlyMap<string, RpcMethod> = new Map(
  METHODS.map((method) => [method.name, method]),
);

/** Runs one method by name; parameters may be given by position or by name. Throws `JsonRpcError`, `EngineError` and `ConnectionDropped`. */
export async function runMethod(
  node: NodeDependencies,
  name: string,
  params: unknown,
  transport: Transport,
): Promise<unknown> {
  const method = BY_NAME.get(name);
  if (method === undefined) throw unknownMethod(name);
  return method.run(new CallContext(node, name, transport), byPosition(method, params));
}

function byPosition(method: RpcMethod, params: unknown): readonly unknown[] {
  if (Array.isArray(params)) return params;
  const named = (params ?? {}) as Record<string, unknown>;
  return method.params.map((name) => named[name]);
}
