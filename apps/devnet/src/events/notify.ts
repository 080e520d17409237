import type { RpcConnection } from '@forecourt/json-rpc';

/** Limit of a client's unread bytes; above it the client is disconnected. */
const MAX_BUFFERED_BYTES = 64 * 2 ** 20;

/** Sends one event of a subscription, or disconnects a client that does not read. */
export function notify(
  connection: RpcConnection,
  method: string,
  params: { readonly subscription: number; readonly result: unknown },
): void {
  if (connection.bufferedBytes > MAX_BUFFERED_BYTES) return connection.terminate();
  connection.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
}
