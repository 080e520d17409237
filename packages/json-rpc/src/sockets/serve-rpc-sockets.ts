import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { groupsOf, TurnShares, widestGroupOf } from '@forecourt/admission';
import { WebSocketServer } from 'ws';
import type { CallMethod } from '../call-method.js';
import { ANY_CLIENT } from '../limits/client-limits.js';
import { handleSocket, type RpcSocketOptions } from './handle-socket.js';
import { RpcConnection } from './rpc-connection.js';
import { startHeartbeat } from './start-heartbeat.js';

const GOING_AWAY = 1001;
const RETRY_AFTER_SECS = 1;

export interface RpcSockets {
  readonly connections: ReadonlySet<RpcConnection>;
  /**
   * Refuses new connections and closes the open ones with 1001. Resolves when all are closed, at the latest
   * after `graceMs`.
   */
  close(reason: string, graceMs: number): Promise<void>;
}

/** Serves JSON-RPC over WebSockets of `server` at `path`. Upgrades on other paths are refused with 404. */
export function serveRpcSockets(
  server: Server,
  call: CallMethod,
  options: RpcSocketOptions,
): RpcSockets {
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    clientTracking: false,
    maxPayload: options.maxMessageBytes,
  });
  const connections = new Set<RpcConnection>();
  const turns = options.clients?.turns ?? new TurnShares<unknown>();
  let nextId = 1;
  let closing = false;

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== options.path) return refuse(socket, '404 Not Found');
    if (closing || connections.size >= options.maxConnections) {
      return refuse(socket, '503 Service Unavailable', `Retry-After: ${RETRY_AFTER_SECS}\r\n`);
    }
    const { clients, maxPendingCalls, onShed } = options;
    const client = clients?.clientOf(request) ?? ANY_CLIENT;
    const place = clients?.connections.take(groupsOf(client));
    if (place === null) {
      return refuse(socket, '429 Too Many Requests', `Retry-After: ${RETRY_AFTER_SECS}\r\n`);
    }
    socket.once('close', () => place?.release());
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      socket.setNoDelay(true);
      const connection = new RpcConnection(webSocket, socket, {
        id: nextId++,
        client,
        maxPendingCalls,
        memory: clients?.memory,
        ...(clients && { turnTaker: widestGroupOf(client) }),
        onShed,
      });
      connections.add(connection);
      connection.onHalfClosed(() => options.onHalfClosed?.(connection));
      webSocket.once('close', () => connections.delete(connection));
      handleSocket(webSocket, connection, call, options, turns);
      startHeartbeat(webSocket, options.pingIntervalMs);
    });
  });

  return {
    connections,
    async close(reason, graceMs) {
      closing = true;
      const allClosed = Promise.all([...connections].map(({ closed }) => once(closed, 'abort')));
      for (const connection of connections) connection.close(GOING_AWAY, reason);
      const deadline = setTimeout(() => {
        for (const connection of connections) connection.terminate();
      }, graceMs);
      await allClosed;
      clearTimeout(deadline);
      webSockets.close();
    },
  };
}

function refuse(socket: Socket, status: string, headers = ''): void {
  // Without a listener, a client that resets its connection would end the process.
  socket.on('error', () => undefined);
  socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n${headers}Content-Length: 0\r\n\r\n`);
  // Not left half open: the server could not close before the client does.
  socket.destroySoon();
}
