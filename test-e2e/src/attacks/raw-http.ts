import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens a connection from an address of loopback; whatever goes wrong with it later is its `close` event. */
export async function openFrom(url: string, from: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

/** So many requests for `path`, one directly after the other. */
export function requestsFor(path: string, count: number): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count);
}

export interface UnfinishedRequest {
  readonly path: string;
  readonly token?: string;
  /** `Content-Length` or `Transfer-Encoding` with its value. */
  readonly length: string;
  /** The first part of the body. */
  readonly part?: string;
}

/** The head of a request whose body is still to come. */
export function unfinished({ path, token, length, part = '' }: UnfinishedRequest): string {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', length];
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`);
  return `${lines.join('\r\n')}\r\n\r\n${part}`;
}

/** Sends `text` over so many connections from one address and reads nothing that is answered. */
export async function sendUnread(
  url: string,
  from: string,
  connections: number,
  text: string,
): Promise<Socket[]> {
  const opening = Array.from({ length: connections }, async () => {
    const socket = await openFrom(url, from);
    socket.pause();
    socket.write(text);
    return socket;
  });
  return Promise.all(opening);
}

export function closeAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}
