import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FaultBoard } from './fault-board.js';

/** Takes the node's HTTP server down and up again as the fault board says, on the same port. */
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

  /** Resolves once the server is as the faults say. */
  settled(): Promise<void> {
    return this.changing;
  }

  /** From here on the server stays as it is: what is being shut down must not come up again. */
  onModuleDestroy(): Promise<void> {
    this.stopped = true;
    return this.changing;
  }

  /** Breaks every connection there is; new ones are welcome. Ends with how many there were. */
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
