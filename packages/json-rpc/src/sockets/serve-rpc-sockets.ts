import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import type { AnswerOptions, CallMethod } from '../answer-json-rpc.js';
import { ANYBODY, type ServedClients } from '../limits/served-clients.js';
import { attendSocket } from './attend-socket.js';
import { RpcConnection } from './rpc-connection.js';
import { watchHeartbeat } from './watch-heartbeat.js';

export interface RpcSocketOptions extends AnswerOptions {
  readonly path: string;
  /** A larger message ends the connection with 1009. */
  readonly maxMessageBytes: number;
  readonly maxConnections: number;
  /** A client that has not answered a ping when the next is due is taken for gone. */
  readonly pingIntervalMs: number;
  /** Calls of one connection that run at once; beyond it nothing more is read from it. */
  readonly maxPendingCalls: number;
  /** Nothing more is read from a connection that has left so much of its answers lying. */
  readonly maxBufferedBytes: number;
  /** What bounds clients together; absent: each connection is bounded alone. */
  readonly clients?: ServedClients;
  /** Called before a connection is ended since it holds too much memory. */
  readonly onShed?: (connection: RpcConnection) => void;
  /**
   * Called when the other end says no more without having closed the WebSocket, while it can still be told something: so
   * does a proxy that has to go and leaves its client to be told.
   */
  readonly onHalfClosed?: (connection: RpcConnection) => void;
}

/** Seconds. */
const RETRY_AFTER = 1;

export interface RpcSockets {
  readonly connections: ReadonlySet<RpcConnection>;
  /** Takes no more connections, and ends those there are with 1001. Resolves once all are gone, at latest after `graceMs`. */
  close(reason: string, graceMs: number): Promise<void>;
}

/** Serves JSON-RPC on WebSockets of `server` at `path`. Other paths' upgrades are refused with 404. */
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
  let nextId = 1;
  let closing = false;

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== options.path) return refuse(socket, '404 Not Found');
    if (closing || connections.size >= options.maxConnections) {
      return refuse(socket, '503 Service Unavailable', `Retry-After: ${RETRY_AFTER}\r\n`);
    }
    const { clients, maxPendingCalls, onShed } = options;
    const client = clients?.clientOf(request) ?? ANYBODY;
    const leave = clients ? clients.connections.take(client) : () => undefined;
    if (leave === null) {
      return refuse(socket, '429 Too Many Requests', `Retry-After: ${RETRY_AFTER}\r\n`);
    }
    socket.once('close', leave);
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      socket.setNoDelay(true);
      const connection = new RpcConnection(webSocket, socket, {
        id: nextId++,
        client,
        maxPendingCalls,
        memory: clients?.memory,
        onShed,
      });
      connections.add(connection);
      connection.onHalfClosed(() => options.onHalfClosed?.(connection));
      webSocket.once('close', () => connections.delete(connection));
      attendSocket(webSocket, connection, call, options);
      watchHeartbeat(webSocket, options.pingIntervalMs);
    });
  });

  return {
    connections,
    async close(reason, graceMs) {
      closing = true;
      const gone = Promise.all([...connections].map(({ closed }) => whenAborted(closed)));
      for (const connection of connections) connection.close(1001, reason);
      const cut = setTimeout(() => {
        for (const connection of connections) connection.terminate();
      }, graceMs);
      await gone;
      clearTimeout(cut);
      webSockets.close();
    },
  };
}

function refuse(socket: Socket, status: string, headers = ''): void {
  socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n${headers}Content-Length: 0\r\n\r\n`);
  // Not left half open: the listener could not close before the client does.
  socket.destroySoon();
}

function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
