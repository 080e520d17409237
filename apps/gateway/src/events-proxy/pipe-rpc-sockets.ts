import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { DEFAULT_RETRY_AFTER_SECS, type ErrorCode, ForecourtError } from '@forecourt/contracts';
import type { ForwardRpcOptions } from './forward-rpc.js';
import { openUpstreamSocket } from './upstream-socket.js';
import { SocketPair } from './socket-pair.js';

export interface RpcPipes {
  /**
   * Accepts no more clients, and has the events service close every connection gracefully, so that each
   * client reconnects elsewhere. Resolves once all are closed, after `graceMs` at the latest.
   */
  close(graceMs: number): Promise<void>;
}

/** Connects WebSockets with the events service, byte for byte; the server upgrades at `/rpc` only. */
export function pipeRpcSockets(
  server: Server,
  { replicas, timeoutMs, access, admission }: ForwardRpcOptions,
): RpcPipes {
  /** Every client; with its pair, once it is connected. */
  const clients = new Map<Socket, SocketPair | null>();
  let closing = false;

  const accept = async (
    request: IncomingMessage,
    address: string,
    client: Socket,
    head: Buffer,
  ) => {
    const service = await openUpstreamSocket(request, address, replicas.inTurn(), timeoutMs);
    if (closing || client.destroyed) service?.destroy();
    // Already removed from the map, and it does not close again.
    if (client.destroyed) return;
    if (service === null || closing) {
      return refuse(client, 'NOT_READY', closing ? 'shutting down' : 'events');
    }
    if (head.length > 0) service.write(head);
    clients.set(client, new SocketPair(client, service));
  };

  const serve = async (request: IncomingMessage, client: Socket, head: Buffer): Promise<void> => {
    client.on('error', () => undefined);
    const admitted = admission.admit(request);
    if ('retryAfterSecs' in admitted) {
      return refuse(client, 'TOO_MANY_REQUESTS', '', retryAfter(admitted.retryAfterSecs));
    }
    const place = admission.takeSocket(admitted.client);
    if (place === null) return refuse(client, 'TOO_MANY_REQUESTS');
    client.once('close', () => place.release());
    const { authorization } = request.headers;
    const identified = await access?.tokens.identify(authorization);
    if (identified && 'challenge' in identified) {
      const header = `WWW-Authenticate: ${identified.challenge}`;
      return refuse(client, 'INVALID_AUTHORIZATION_TOKEN', '', header);
    }
    if (closing) return refuse(client, 'NOT_READY', 'shutting down');
    if (client.destroyed) return;
    clients.set(client, null);
    client.once('close', () => clients.delete(client));
    await accept(request, admitted.client, client, head);
  };
  server.on('upgrade', (request: IncomingMessage, client: Socket, head: Buffer) => {
    void serve(request, client, head);
  });

  return {
    async close(graceMs) {
      closing = true;
      const gone = [...clients.keys()].map(whenClosed);
      for (const pair of clients.values()) pair?.leave();
      const cut = setTimeout(() => {
        for (const client of clients.keys()) client.destroy();
      }, graceMs);
      await Promise.all(gone);
      clearTimeout(cut);
    },
  };
}

function whenClosed(client: Socket): Promise<void> {
  return new Promise((resolve) => void client.once('close', () => resolve()));
}

const retryAfter = (seconds: number) => `Retry-After: ${seconds}`;

function refuse(client: Socket, code: ErrorCode, detail = '', header?: string): void {
  const { status, message } = new ForecourtError(code, detail);
  const body = JSON.stringify({ error: message });
  const isLater = status === 503 || status === 429;
  const extra = header ?? (isLater ? retryAfter(DEFAULT_RETRY_AFTER_SECS) : null);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(extra === null ? [] : [extra]),
  ];
  client.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  // Not half-open: the listener could not close before the client does.
  client.destroySoon();
}
