import type { CallContext } from './call-context.js';

/** One JSON-RPC method and its description. */
export interface RpcMethod {
  readonly name: string;
  /** Parameter names in order of position, as in OpenRPC; also accepted by name. */
  readonly params: readonly string[];
  readonly summary: string;
  /** Returns the JSON result. Throws `JsonRpcError` or `EngineError`. `params` are by position, absent ones undefined. */
  run(context: CallContext, params: readonly unknown[]): unknown;
}
