import {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * A proxy that serves a gateway below a path, which it takes away. Everything else at its host is not found.
 */
export class PathProxy {
  /** Requests for something beside the path. */
  readonly strays: string[] = [];
  /** The address of the gateway. */
  target = '';

  private constructor(
    private readonly server: Server,
    readonly path: string,
  ) {}

  static async start(path: string): Promise<PathProxy> {
    const server = createServer();
    const proxy = new PathProxy(server, path);
    server.on('request', (incoming, response) => {
      const options = proxy.forwarded(incoming);
      if (options === null) return response.writeHead(404).end();
      const forwarded = request(options, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      response.on('close', () => forwarded.destroy());
      incoming.pipe(forwarded);
      return undefined;
    });
    server.on('upgrade', (incoming: IncomingMessage, socket: Socket) => {
      const options = proxy.forwarded(incoming);
      if (options === null) return socket.destroy();
      const forwarded = request(options);
      forwarded.on('upgrade', (answer, upstream) => {
        const headers = answer.rawHeaders.map((text, index) =>
          index % 2 ? `${text}\r\n` : `${text}: `,
        );
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers.join('')}\r\n`);
        upstream.pipe(socket).pipe(upstream);
        upstream.on('error', () => socket.destroy());
        socket.on('error', () => upstream.destroy());
      });
      forwarded.on('error', () => socket.destroy()).end();
      return undefined;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Where clients find the gateway. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.path}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Null: the request is for something else. */
  private forwarded({ url = '', method, headers }: IncomingMessage): RequestOptions | null {
    if (!url.startsWith(`${this.path}/`)) {
      this.strays.push(url);
      return null;
    }
    const { hostname, port } = new URL(this.target);
    return { hostname, port, method: method!, headers, path: url.slice(this.path.length) };
  }
}
