import type { Socket } from 'node:net';
import { ClientTCP, type TcpSocket } from '@nestjs/microservices';
import type { Observable } from 'rxjs';
import { BatchingJsonSocket } from './message-transport.js';
import { clientTls, HANDSHAKE_MS } from './fleet-tls.js';

/**
 * Nest's TCP client for services of the fleet alone: it is connected once the other end has proved that it holds the
 * secret, and sends nothing before. What keeps it from being connected is logged once, until it is.
 */
export class FleetClient extends ClientTCP {
  private isLogged = false;

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
      this.isLogged = false;
    });
    return socket;
  }

  protected override connect$(socket: Socket): Observable<unknown> {
    return super.connect$(socket, 'error', 'secureConnect');
  }

  override handleError(error: NodeJS.ErrnoException): void {
    if (this.isLogged) return;
    this.isLogged = true;
    // The system's own: the other end is not there, or has gone away.
    if (error.syscall !== undefined) return super.handleError(error);
    const at = `${this.host}:${this.port}`;
    const { code = error.message } = error;
    this.logger.error(
      `${at} did not prove that it belongs to the fleet (${code}): both services need the same FLEET_SECRET`,
    );
  }
}
