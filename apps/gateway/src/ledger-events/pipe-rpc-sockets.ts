import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Endpoint } from '@forecourt/config';
import { DEFAULT_RETRY_AFTER_SECS, type ErrorCode, ForecourtError } from '@forecourt/contracts';
import { type ForwardRpcOptions, RPC_PATH } from './forward-rpc.js';

/**
 * Connects WebSockets at `/rpc` with the events service, byte for byte. The result ends all of them: their clients see
 * the connection close and can resume at another replica.
 */
export function pipeRpcSockets(
  server: Server,
  { replicas, timeoutMs, callerOf }: ForwardRpcOptions,
): () => void {
  const clients = new Set<Socket>();
  server.on('upgrade', (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => undefined);
    const path = String(request.url?.split('?', 1)[0]);
    if (path !== RPC_PATH)
      return refuse(client, 'NOT_FOUND', `${request.method} ${path.slice(0, 100)}`);
    if (callerOf && callerOf(request.headers.authorization) === null) {
      return refuse(client, 'INVALID_AUTHORIZATION_TOKEN');
    }
    clients.add(client);
    client.once('close', () => clients.delete(client));
    void connectAny(replicas.inTurn(), timeoutMs).then((service) => {
      if (service === null) return refuse(client, 'NOT_READY', 'events');
      service.write(writeHead(request));
      if (head.length > 0) service.write(head);
      join(client, service);
    });
  });
  return () => {
    for (const client of clients) client.destroy();
  };
}

async function connectAny(
  endpoints: readonly Endpoint[],
  timeoutMs: number,
): Promise<Socket | null> {
  for (const endpoint of endpoints) {
    const socket = await connectTo(endpoint, timeoutMs).catch(() => null);
    if (socket) return socket;
  }
  return null;
}

function connectTo({ host, port }: Endpoint, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, keepAlive: true });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no connection in time')));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** The request as it came, but for the token, which is the gateway's business alone. */
function writeHead({ url, rawHeaders }: IncomingMessage): string {
  const lines = [`GET ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() === 'authorization') continue;
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Bytes of one go to the other; when one is gone, so is the other. */
function join(client: Socket, service: Socket): void {
  client.setNoDelay(true);
  client.pipe(service);
  service.pipe(client);
  client.once('close', () => service.destroy());
  service.once('close', () => client.destroySoon());
  if (client.destroyed) service.destroy();
}

function refuse(client: Socket, code: ErrorCode, detail = ''): void {
  const { status, message } = new ForecourtError(code, detail);
  const body = JSON.stringify({ error: message });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 503 ? [`Retry-After: ${DEFAULT_RETRY_AFTER_SECS}`] : []),
  ];
  client.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
