import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { urlOf } from './side-server.js';

/**
 * Accepts the connections of gRPC's callers, apart from the server, so that faults can close it and destroy
 * them.
 */
@Injectable()
export class GrpcListener {
  readonly server = createServer();
  readonly #sockets = new Map<string, Socket>();
  #collects = false;

  /** Listens, hands over each connection, and returns `grpc://host:port`. */
  async listen(host: string, port: number, accept: (socket: Socket) => void): Promise<string> {
    this.server.on('connection', (socket) => {
      const peer = `${socket.remoteAddress}:${socket.remotePort}`;
      this.#sockets.set(peer, socket);
      socket.once('close', () => this.#sockets.delete(peer));
      accept(socket);
      socket.setNoDelay(!this.#collects);
    });
    this.server.listen(port, host);
    await once(this.server, 'listening');
    return urlOf(this.server.address() as AddressInfo).replace('http:', 'grpc:');
  }

  /** Whether small packets wait for the acknowledgement of those before them (Nagle's algorithm). */
  set collectsPackets(collects: boolean) {
    this.#collects = collects;
    for (const socket of this.#sockets.values()) socket.setNoDelay(!collects);
  }

  /** Destroys the connection of a peer, `host:port`. */
  drop(peer: string): void {
    this.#sockets.get(peer)?.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.values()) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }
}
