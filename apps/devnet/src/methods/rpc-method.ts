import type { NodeProfile } from '../node/node-profile.js';
import { CallContext } from './call-context.js';

/** One JSON-RPC method and its description. */
export interface RpcMethod {
  readonly name: string;
  /** Parameter names in order of position, as in OpenRPC; also accepted by name. */
  readonly params: readonly string[];
  readonly summary: string;
  /** Of the legacy dialect: only a node of version 2022 knows it. */
  readonly isLegacy?: true;
  /**
   * Returns the JSON result. Throws `JsonRpcError` or `EngineError`. `params` are by position, absent ones
   * undefined.
   */
  run(context: CallContext, params: readonly unknown[]): unknown;
}

export function isKnown({ isLegacy }: RpcMethod, { version }: NodeProfile): boolean {
  return isLegacy !== true || version === '2022';
}
