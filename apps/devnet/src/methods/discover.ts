import type { RpcMethod } from './rpc-method.js';

/** Version of the node software that has this interface. */
const API_VERSION = '1.15.0';

/** `rpc.discover` for these methods: an OpenRPC document without schemas. */
export function discoverMethod(methods: readonly RpcMethod[]): RpcMethod {
  return {
    name: 'rpc.discover',
    params: [],
    summary: 'This document.',
    run: () => ({
      openrpc: '1.2.6',
      info: { title: 'Forecourt devnet JSON-RPC', version: API_VERSION },
      methods: methods.map(({ name, params, summary }) => ({
        name,
        description: summary,
        params: params.map((param) => ({ name: param, schema: {} })),
        result: { name: 'result', schema: {} },
      })),
    }),
  };
}

export const getRpcApiVersion: RpcMethod = {
  name: 'iota_getRpcApiVersion',
  params: [],
  summary: 'The version of this interface.',
  run: () => API_VERSION,
};
