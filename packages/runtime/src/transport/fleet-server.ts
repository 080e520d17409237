import type { Socket } from 'node:net';
import { ServerTCP } from '@nestjs/microservices';
import { BatchingJsonSocket } from './batching-json-socket.js';
import { serverTls } from './fleet-tls.js';
import { PendingConnections } from './pending-connections.js';

/** Connections at once that have not proved that they belong to the fleet. */
export const MAX_PENDING = 100;
/** Refused connections are logged at most this often, in ms. */
const LOG_EVERY_MS = 10_000;

/**
 * Nest's TCP server for services of the fleet alone: nothing that a connection sends is read as a message before it has
 * proved that it holds one of the secrets.
 */
export class FleetServer extends ServerTCP {
  private readonly pending = new PendingConnections(MAX_PENDING);
  private refused = 0;
  private loggedAt = -Infinity;

  constructor(host: string, port: number, secrets: readonly string[]) {
    super({ host, port, socketClass: BatchingJsonSocket, tlsOptions: serverTls(secrets) });
    this.server.on('connection', (socket: Socket) => this.pending.add(socket));
    this.server.on('secureConnection', (socket: Socket) => this.pending.remove(socket));
    this.server.on('tlsClientError', (error: Error, socket: Socket) => this.refuse(error, socket));
  }

  override close(): void {
    super.close();
    this.pending.closeAll();
  }

  private refuse(error: Error, socket: Socket): void {
    const { remoteAddress } = socket;
    // One that has run out of time is still open.
    socket.destroy();
    this.refused += 1;
    const now = performance.now();
    if (now - this.loggedAt < LOG_EVERY_MS) return;
    const { code = error.message } = error as NodeJS.ErrnoException;
    this.logger.warn(
      `Refused ${this.refused} connection(s) that did not prove that they belong to the fleet, the last from ` +
        `${remoteAddress ?? 'a closed connection'} (${code}): if it is a gateway, give it the FLEET_SECRET of this service`,
    );
    this.refused = 0;
    this.loggedAt = now;
  }
}
