import type { TlsOptions } from 'node:tls';
import type { Socket } from 'node:net';
import { ServerTCP } from '@nestjs/microservices';
import { ConnectionPlaces } from '@forecourt/admission';
import { listenerLimits } from '@forecourt/resilience';
import { BatchingJsonSocket } from './batching-json-socket.js';
import { deriveFleetKey, HANDSHAKE_MS, SHARED_KEY_TLS } from './shared-key-tls.js';

/** The accepting end; it accepts each of the secrets. */
function serverTls(secrets: readonly string[]): TlsOptions {
  const keys = new Map(secrets.map(deriveFleetKey).map(({ identity, key }) => [identity, key]));
  return {
    ...SHARED_KEY_TLS,
    handshakeTimeout: HANDSHAKE_MS,
    pskCallback: (_socket, identity) => keys.get(identity) ?? null,
  };
}

/** Maximum number of connections that have not proved that they belong to the fleet. */
export const MAX_PENDING = listenerLimits.unprovenConnections.default;
/** Shortest time between two log lines about refused connections, in ms. */
const LOG_EVERY_MS = 10_000;

/**
 * Nest's TCP server between services of a fleet: it reads no message from a connection that has not proved
 * that it holds one of the secrets.
 */
export class FleetServer extends ServerTCP {
  /**
   * Services of the fleet need a place for milliseconds; connections without the secret displace each other.
   */
  readonly #pending = new ConnectionPlaces(MAX_PENDING);
  /** Sockets of pending connections: TLS wraps them in others. */
  readonly #byPeer = new Map<string, Socket>();
  #refused = 0;
  #loggedAt = -Infinity;

  constructor(host: string, port: number, secrets: readonly string[]) {
    super({ host, port, socketClass: BatchingJsonSocket, tlsOptions: serverTls(secrets) });
    this.server.on('connection', (socket: Socket) => this.admit(socket));
    this.server.on('secureConnection', (socket: Socket) => this.accept(socket));
    this.server.on('tlsClientError', (error: Error, socket: Socket) => this.refuse(error, socket));
  }

  override close(): void {
    super.close();
    this.#pending.closeAll();
  }

  private admit(socket: Socket): void {
    if (!this.#pending.enter(socket)) return;
    const peer = peerOf(socket);
    this.#byPeer.set(peer, socket);
    socket.once('close', () => this.#byPeer.delete(peer));
  }

  /** `socket` has proved that it belongs to the fleet. */
  private accept(socket: Socket): void {
    const pending = this.#byPeer.get(peerOf(socket));
    if (pending !== undefined) this.#pending.leave(pending);
  }

  private refuse(error: Error, socket: Socket): void {
    const { remoteAddress } = socket;
    // After a time-out the socket is still open.
    socket.destroy();
    this.#refused += 1;
    const now = performance.now();
    if (now - this.#loggedAt < LOG_EVERY_MS) return;
    const { code = error.message } = error as NodeJS.ErrnoException;
    this.logger.warn(
      `Refused ${this.#refused} connection(s) that did not prove that they belong to the fleet, the last from ` +
        `${remoteAddress ?? 'a closed connection'} (${code}): if it is a gateway, give it the FLEET_SECRET of this service`,
    );
    this.#refused = 0;
    this.#loggedAt = now;
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
