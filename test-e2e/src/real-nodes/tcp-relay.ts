import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Relays connections to another port, and can die: a second way to a node, which fails while the node does not. */
export class TcpRelay {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(target: string): Promise<TcpRelay> {
    const { hostname, port } = new URL(target);
    const server = createServer((socket) => {
      const upstream = connect(Number(port), hostname);
      for (const [one, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        relay.sockets.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
        one.pipe(other);
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const relay = new TcpRelay(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    return relay;
  }

  /** Breaks every connection and accepts no more. */
  die(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
