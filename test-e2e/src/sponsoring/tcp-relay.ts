import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Relays connections to another port: a second path to a node, which can fail although the node works. */
export class TcpRelay {
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly target: string,
  ) {}

  static async start(target: string): Promise<TcpRelay> {
    const server = createServer((socket) => {
      const { hostname, port } = new URL(relay.target);
      const upstream = connect(Number(port), hostname);
      for (const [one, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        relay.#sockets.add(one);
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
      target,
    );
    return relay;
  }

  /** Breaks every connection and accepts no more. */
  die(): void {
    this.server.close();
    this.breakConnections();
  }

  private breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }
}
