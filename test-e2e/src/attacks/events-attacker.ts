import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Message } from '../support/events-client.js';

/** The header by which a gateway names its client, for an events service that trusts it. */
const clientHeader = (address: string) => ({ 'x-forecourt-client': address });

export const call = (id: number, method: string, ...params: unknown[]) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

export const query = (id: number, ...params: unknown[]) => call(id, 'ledger_getEvents', ...params);

/** Opens a WebSocket as a client with this address. */
export async function openAs(serviceUrl: string, address: string): Promise<WebSocket> {
  const socket = new WebSocket(`${serviceUrl.replace('http', 'ws')}/rpc`, {
    headers: clientHeader(address),
    perMessageDeflate: false,
  });
  // The service may close the connection at any time.
  socket.on('error', () => undefined);
  await once(socket, 'open');
  return socket;
}

/** Sends messages and collects the replies in any order; fewer replies if the connection ends first. */
export async function exchange(socket: WebSocket, messages: readonly object[]): Promise<Message[]> {
  const replies: Message[] = [];
  const done = Promise.withResolvers<void>();
  const listen = (data: unknown) => {
    const message = JSON.parse((data as Buffer).toString()) as Message;
    if (message.params) return;
    replies.push(message);
    if (replies.length >= messages.length) done.resolve();
  };
  socket.on('message', listen);
  socket.once('close', () => done.resolve());
  for (const message of messages) socket.send(JSON.stringify(message));
  await done.promise;
  socket.off('message', listen);
  return replies;
}

/** Sends one POST as a client with this address. */
export async function postAs(
  serviceUrl: string,
  address: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${serviceUrl}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...clientHeader(address) },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  return { status: response.status, text: await response.text() };
}
