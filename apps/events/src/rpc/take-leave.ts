import {
  JsonRpcCode,
  JsonRpcError,
  type RpcConnection,
  type RpcSockets,
} from '@forecourt/json-rpc';
import type { ClientSubscriptions } from '../subscriptions/client-subscriptions.js';

const GOING_AWAY = 1001;
const REASON = 'going away: reconnect, and go on after the last event seen';

/** Clients whose connection ends hear it in each of their subscriptions, then in the close frame. */
export function takeLeave(clients: ClientSubscriptions, connection: RpcConnection): void {
  clients.endAll(stopping(), connection);
  connection.close(GOING_AWAY, REASON);
}

/** All clients; resolves once they are gone, at latest after `graceMs`. */
export async function takeLeaveOfAll(
  clients: ClientSubscriptions,
  sockets: RpcSockets,
  graceMs: number,
): Promise<void> {
  clients.endAll(stopping());
  await sockets.close(REASON, graceMs);
}

function stopping(): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.shuttingDown,
    'Subscription ended: the service is stopping; reconnect, and go on after the last event seen',
  );
}
