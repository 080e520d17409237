import {
  JsonRpcCode,
  JsonRpcError,
  type RpcConnection,
  type RpcSockets,
} from '@forecourt/json-rpc';
import type { ClientSubscriptions } from '../subscriptions/client-subscriptions.js';

const GOING_AWAY = 1001;
const REASON = 'going away: reconnect and resume after the last event received';

/** Ends the subscriptions of a connection, telling its client why, then closes it. */
export function closeGracefully(
  subscriptions: ClientSubscriptions,
  connection: RpcConnection,
): void {
  subscriptions.endAll(shuttingDown(), connection);
  connection.close(GOING_AWAY, REASON);
}

/** The same for all connections; resolves when they are closed, at the latest after `graceMs`. */
export async function closeAllGracefully(
  subscriptions: ClientSubscriptions,
  sockets: RpcSockets,
  graceMs: number,
): Promise<void> {
  subscriptions.endAll(shuttingDown());
  await sockets.close(REASON, graceMs);
}

function shuttingDown(): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.shuttingDown,
    'Subscription ended: the service is shutting down; reconnect and resume after the last event received',
  );
}
