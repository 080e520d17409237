import type { RpcHandler } from './rpc-handler.js';

/** The OpenRPC document that `rpc.discover` returns. */
export function describeMethods(handlers: readonly RpcHandler[]): object {
  return {
    openrpc: '1.3.2',
    info: { title: 'Ledger events', version: '1.0.0' },
    methods: handlers.map(({ name, description }) => ({
      name: `ledger_${name}`,
      ...description,
      paramStructure: 'by-position',
      params: description.params.map((param) => ({ ...param, schema: {} })),
    })),
  };
}
