import type { ConnectionOptions } from 'node:tls';
import type { Socket } from 'node:net';
import { ClientTCP, type TcpSocket } from '@nestjs/microservices';
import type { Observable } from 'rxjs';
import { BatchingJsonSocket } from './batching-json-socket.js';
import { deriveFleetKey, HANDSHAKE_MS, SHARED_KEY_TLS } from './shared-key-tls.js';

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
