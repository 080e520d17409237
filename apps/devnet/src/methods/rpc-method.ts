import type { CallContext } from './call-context.js';

/** One JSON-RPC method: everything the table of methods needs to know of it. */
export interface RpcMethod {
  readonly name: string;
  /** Parameter names in order of position, as OpenRPC gives them; also accepted by name. */
  readonly params: readonly string[];
  readonly summary: string;
  /** Answers with JSON, or throws `JsonRpcError`. `params` are by position, absent ones undefined. */
  run(context: CallContext, params: readonly unknown[]): unknown;
}
