import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { AttackClient } from './attack-client.js';

const OPEN_MS = 5_000;

/**
 * Opens a WebSocket to `/rpc` from the attacker's address; its end is counted. Rejects if it is not opened.
 */
export async function openRpcSocket(gatewayUrl: string, client: AttackClient): Promise<WebSocket> {
  const socket = new WebSocket(`${gatewayUrl.replace('http', 'ws')}/rpc`, {
    localAddress: client.from,
    handshakeTimeout: OPEN_MS,
  });
  socket.on('close', (code) => client.answers.note(`socket closed ${code}`));
  try {
    await once(socket, 'open');
  } catch (error) {
    socket.on('error', () => undefined);
    throw error;
  }
  socket.on('error', () => undefined);
  return socket;
}
