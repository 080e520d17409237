import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionPlaces } from './connection-places.js';
import { RequestTurns } from './request-turns.js';

/**
 * Bounds what clients of an HTTP server make it hold: the number of connections, one request of each
 * connection at a time, and how long a response stays unread. `handle` receives the requests. To be called
 * before the server listens.
 */
export function guardServer<S extends Server>(
  server: S,
  places: ConnectionPlaces,
  handle: RequestListener,
): S {
  const turns = new RequestTurns(places);
  server.on('connection', (socket: Socket) => {
    if (places.enter(socket)) turns.open(socket);
  });
  server.on('request', turns.inTurn(handle));
  server.on('checkExpectation', turns.inTurn(refuseExpectation));
  // By then all listeners for upgrades are attached; without any, Node ignores the header.
  server.once('listening', () => {
    if (server.listenerCount('upgrade') > 0) guardUpgrades(server, places, turns);
  });
  return server;
}

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ error: 'Unsupported Expect header' });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  response.writeHead(417, { ...headers, connection: 'close' }).end(body);
}

function guardUpgrades(server: Server, places: ConnectionPlaces, turns: RequestTurns): void {
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
    // Responses would be written between the frames of the WebSocket.
    if (turns.isBusy(socket)) socket.destroy();
    else {
      places.noteBusy(socket);
      turns.leave(socket);
    }
  });
}
