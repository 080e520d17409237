import type { Server as NetServer } from 'node:net';
import { ConnectionPlaces, countPlaces } from '@forecourt/admission';
import { ClientTCP, ServerTCP } from '@nestjs/microservices';
import { FleetServer } from './fleet-server.js';
import { FleetClient } from './fleet-client.js';
import { BatchingJsonSocket } from './batching-json-socket.js';

/** One end of the messages between gateway and coin-pool. */
export interface MessageEndpoint {
  readonly host: string;
  readonly port: number;
  /**
   * The first is used to connect, every one is accepted; with none, anybody may connect and nothing is
   * encrypted.
   */
  readonly fleetSecrets: readonly string[];
}

/** The strategy of a Nest microservice that answers messages. */
export function createMessageServer({ host, port, fleetSecrets }: MessageEndpoint): ServerTCP {
  if (fleetSecrets.length > 0) return new FleetServer(host, port, fleetSecrets);
  const server = new ServerTCP({ host, port, socketClass: BatchingJsonSocket });
  const places = new ConnectionPlaces(countPlaces());
  server.unwrap<NetServer>().on('connection', (socket) => places.enter(socket));
  return server;
}

/** Sends messages to one server. */
export function createMessageClient({ host, port, fleetSecrets }: MessageEndpoint): ClientTCP {
  const [secret] = fleetSecrets;
  if (secret !== undefined) return new FleetClient(host, port, secret);
  return new ClientTCP({ host, port, socketClass: BatchingJsonSocket });
}
