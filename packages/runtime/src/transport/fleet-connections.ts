import { constants, createHash, hkdfSync } from 'node:crypto';
import type { ConnectionOptions, TlsOptions } from 'node:tls';
import type { Socket } from 'node:net';
import { ClientTCP, JsonSocket, ServerTCP, type TcpSocket } from '@nestjs/microservices';
import type { Observable } from 'rxjs';
import { ConnectionPlaces } from '@forecourt/admission';

type HandleSend = JsonSocket['sendMessage'];

/**
 * Sends what is written in one turn of the event loop at once: under load many messages leave in one system
 * call.
 */
export class BatchingJsonSocket extends JsonSocket {
  #holds = false;

  protected override handleSend(...message: Parameters<HandleSend>): void {
    if (!this.#holds) {
      this.#holds = true;
      this.netSocket.cork();
      setImmediate(() => {
        this.#holds = false;
        this.netSocket.uncork();
      });
    }
    super.handleSend(...message);
  }
}

/** The key of connections between services, derived from a fleet secret. */
interface FleetKey {
  /** Names the key to the other end without disclosing it. */
  readonly identity: string;
  readonly key: Buffer;
}

const KEY_BYTES = 32;

/** Two ends with the same secret derive the same key. */
function deriveFleetKey(secret: string): FleetKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'forecourt messages 1', KEY_BYTES));
  const identity = createHash('sha256').update('forecourt key 1').update(key).digest('hex');
  return { identity: identity.slice(0, 16), key };
}

/**
 * Time limit in ms for a connection to prove that it belongs to the fleet; this usually takes a few
 * milliseconds.
 */
const HANDSHAKE_MS = 5_000;

/**
 * TLS with a pre-shared key instead of certificates: each end proves to the other that it holds the key, and
 * all traffic after that is encrypted. The key exchange is ephemeral, so that a secret that leaks later does
 * not decrypt recorded traffic. Node supports pre-shared keys in TLS 1.2 only.
 */
const SHARED_KEY_TLS = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
} as const;

/** The accepting end; it accepts each of the secrets. */
function serverTls(secrets: readonly string[]): TlsOptions {
  const keys = new Map(secrets.map(deriveFleetKey).map(({ identity, key }) => [identity, key]));
  return {
    ...SHARED_KEY_TLS,
    handshakeTimeout: HANDSHAKE_MS,
    pskCallback: (_socket, identity) => keys.get(identity) ?? null,
  };
}

/** The connecting end; it uses one secret, and rejects an end that does not hold it. */
function clientTls(secret: string): ConnectionOptions {
  const { identity, key } = deriveFleetKey(secret);
  return {
    ...SHARED_KEY_TLS,
    pskCallback: () => ({ identity, psk: key }),
    // There is no certificate whose name could be checked: the key alone identifies the other end.
    checkServerIdentity: () => undefined,
  };
}

/**
 * Nest's TCP client between services of a fleet: it sends nothing before the other end has proved that it
 * holds the secret. The reason why it cannot connect is logged once until it connects.
 */
export class FleetClient extends ClientTCP {
  #isLogged = false;

  constructor(host: string, port: number, secret: string) {
    super({ host, port, socketClass: BatchingJsonSocket, tlsOptions: clientTls(secret) });
  }

  override createSocket(): TcpSocket {
    const socket = super.createSocket();
    const timeout = new Error(`it did not finish the handshake within ${HANDSHAKE_MS} ms`);
    const late = setTimeout(() => socket.netSocket.destroy(timeout), HANDSHAKE_MS);
    late.unref();
    socket.on('close', () => clearTimeout(late));
    socket.on('secureConnect', () => {
      clearTimeout(late);
      this.#isLogged = false;
    });
    return socket;
  }

  protected override connect$(socket: Socket): Observable<unknown> {
    return super.connect$(socket, 'error', 'secureConnect');
  }

  override handleError(error: NodeJS.ErrnoException): void {
    if (this.#isLogged) return;
    this.#isLogged = true;
    // An error of the system: the other end does not listen, or has closed the connection.
    if (error.syscall !== undefined) return super.handleError(error);
    const peer = `${this.host}:${this.port}`;
    const { code = error.message } = error;
    this.logger.error(
      `${peer} did not prove that it belongs to the fleet (${code}): both services need the same FLEET_SECRET`,
    );
  }
}

/** Maximum number of connections that have not proved that they belong to the fleet. */
export const MAX_PENDING = 100;
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
