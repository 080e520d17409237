import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionPlaces } from './connection-places.js';
import { readInSlices } from './read-in-slices.js';
import { RequestTurns } from './request-turns.js';
import { UnreadResponses } from './unread-responses.js';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Bounds what clients of an HTTP server make it hold: the number of connections, one request of each connection at a time,
 * and how long a response stays unread. To be called before the server listens.
 */
export function guardServer(server: Server, places: ConnectionPlaces): void {
  const unread = new UnreadResponses();
  const turns = new RequestTurns(places, unread);
  server.on('connection', (socket: Socket) => {
    if (places.enter(socket)) readInSlices(socket, turns);
  });
  // By then all listeners for requests are attached.
  server.once('listening', () => {
    for (const event of ['request', 'checkExpectation']) takeTurns(server, event, turns);
    if (server.listenerCount('upgrade') > 0) guardUpgrades(server, places, turns);
    unread.watch();
  });
  server.once('close', () => unread.stop());
}

function takeTurns(server: Server, event: string, turns: RequestTurns): void {
  const listeners = server.rawListeners(event) as Listener[];
  if (listeners.length === 0) return;
  server.removeAllListeners(event);
  server.on(event, (request: IncomingMessage, response: ServerResponse) =>
    turns.take(request, response, () => {
      for (const listener of listeners) listener.call(server, request, response);
    }),
  );
}

function guardUpgrades(server: Server, places: ConnectionPlaces, turns: RequestTurns): void {
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
    // Responses would be written between the frames of the WebSocket.
    if (turns.isBusy(socket)) socket.destroy();
    else places.noteBusy(socket);
  });
}
