import type { Server } from 'node:net';
import { ConnectionPlaces, countPlaces } from '@forecourt/admission';
import { ClientTCP, JsonSocket, ServerTCP } from '@nestjs/microservices';
import { FleetClient } from './fleet-client.js';
import { FleetServer } from './fleet-server.js';

type HandleSend = JsonSocket['sendMessage'];

/** Sends what is written in one turn of the event loop at once: under load many messages leave in one system call. */
export class BatchingJsonSocket extends JsonSocket {
  private holds = false;

  protected override handleSend(...message: Parameters<HandleSend>): void {
    if (!this.holds) {
      this.holds = true;
      this.netSocket.cork();
      setImmediate(() => {
        this.holds = false;
        this.netSocket.uncork();
      });
    }
    super.handleSend(...message);
  }
}

/** One end of the messages between gateway and coin-pool. */
export interface MessageEndpoint {
  readonly host: string;
  readonly port: number;
  /** The first is used to connect, every one is accepted; with none, anybody may connect and nothing is encrypted. */
  readonly fleetSecrets: readonly string[];
}

/** The strategy of a Nest microservice that answers messages. */
export function createMessageServer({ host, port, fleetSecrets }: MessageEndpoint): ServerTCP {
  if (fleetSecrets.length > 0) return new FleetServer(host, port, fleetSecrets);
  const server = new ServerTCP({ host, port, socketClass: BatchingJsonSocket });
  const places = new ConnectionPlaces(countPlaces());
  server.unwrap<Server>().on('connection', (socket) => places.enter(socket));
  return server;
}

/** Sends messages to one server. */
export function createMessageClient({ host, port, fleetSecrets }: MessageEndpoint): ClientTCP {
  const [secret] = fleetSecrets;
  if (secret !== undefined) return new FleetClient(host, port, secret);
  return new ClientTCP({ host, port, socketClass: BatchingJsonSocket });
}
