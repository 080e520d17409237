import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FaultBoard } from './fault-board.js';

/** Takes the node's HTTP server down and up again, on the same port, as the `down` faults require. */
@Injectable()
export class NodeAvailability implements OnModuleDestroy {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private address: AddressInfo | null = null;
  private stopped = false;
  private changing: Promise<void> = Promise.resolve();

  constructor(
    host: HttpAdapterHost,
    private readonly faults: FaultBoard,
  ) {
    this.server = host.httpAdapter.getHttpServer() as Server;
    this.server.on('connection', (socket: Socket) => this.admit(socket));
    faults.onChange(() => {
      this.changing = this.changing.then(() => this.apply());
    });
  }

  /** Resolves when the server's state matches the faults. */
  settled(): Promise<void> {
    return this.changing;
  }

  /** The server must not start again during shutdown. */
  onModuleDestroy(): Promise<void> {
    this.stopped = true;
    return this.changing;
  }

  /** Destroys every connection, still accepts new ones, and returns how many were destroyed. */
  disconnectAll(): number {
    const count = this.sockets.size;
    for (const socket of this.sockets) socket.destroy();
    return count;
  }

  private admit(socket: Socket): void {
    if (this.faults.peek('down') !== null) {
      socket.destroy();
      return;
    }
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

  private async apply(): Promise<void> {
    if (this.stopped) return;
    const down = this.faults.peek('down');
    if (down !== null) for (const socket of this.sockets) socket.destroy();
    if (down?.mode === 'refuse' && this.server.listening) {
      this.address = this.server.address() as AddressInfo;
      this.server.close();
      await once(this.server, 'close');
    } else if (down?.mode !== 'refuse' && !this.server.listening && this.address !== null) {
      this.server.listen(this.address.port, this.address.address);
      await once(this.server, 'listening');
    }
  }
}
