import type { Socket } from 'node:net';

/**
 * Connections that have not proved anything yet. When there are too many, the oldest one is closed: a service of the
 * fleet is done within milliseconds, whoever is slow is not one.
 */
export class PendingConnections {
  private readonly sockets = new Map<string, Socket>();

  constructor(private readonly most: number) {}

  get count(): number {
    return this.sockets.size;
  }

  add(socket: Socket): void {
    const name = nameOf(socket);
    this.sockets.set(name, socket);
    socket.once('close', () => this.sockets.delete(name));
    if (this.sockets.size <= this.most) return;
    const [oldest] = this.sockets.values();
    oldest!.destroy();
    this.sockets.delete(nameOf(oldest!));
  }

  /** `socket` is the same connection, perhaps wrapped in TLS. */
  remove(socket: Socket): void {
    this.sockets.delete(nameOf(socket));
  }

  closeAll(): void {
    for (const socket of this.sockets.values()) socket.destroy();
    this.sockets.clear();
  }
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
