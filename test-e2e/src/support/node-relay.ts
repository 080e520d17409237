import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import {
  type ClientHttp2Session,
  connect as connectHttp2,
  constants,
  createServer as createHttp2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The fate of the clients' connections when the relay begins to lead elsewhere. */
export type Connections = 'kept' | 'broken';

/** Longer than any test: clients decide when an idle connection ends. */
const IDLE_MS = 600_000;

/**
 * A proxy in front of a node, for JSON-RPC with WebSockets or for gRPC. It can lead to another node from the
 * next call on; WebSockets and streams that are open stay where they are, unless their connections are
 * broken.
 */
export class NodeRelay {
  readonly #sockets = new Set<Socket>();
  #session: { readonly target: string; readonly http2: ClientHttp2Session } | null = null;

  #target: string;

  private constructor(
    private readonly server: NetServer,
    readonly url: string,
    private readonly home: string,
  ) {
    this.#target = home;
  }

  /** `home`: `http://…` or `grpc://…`, as every other target. */
  static async start(home: string): Promise<NodeRelay> {
    const isGrpc = home.startsWith('grpc:');
    const [http, http2] = isGrpc
      ? [null, createHttp2Server()]
      : [createServer({ keepAliveTimeout: IDLE_MS }), null];
    const server: NetServer = http ?? http2;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const relay = new NodeRelay(server, `${isGrpc ? 'grpc' : 'http'}://127.0.0.1:${port}`, home);
    server.on('connection', (socket: Socket) => {
      relay.#sockets.add(socket);
      socket.once('close', () => relay.#sockets.delete(socket));
    });
    http2?.on('stream', (stream, headers) => relay.passStream(stream, headers));
    if (http) relay.passRequests(http);
    return relay;
  }

  leadTo(target: string, connections: Connections): void {
    this.#target = target;
    if (connections === 'broken') this.breakConnections();
  }

  leadHome(connections: Connections): void {
    this.leadTo(this.home, connections);
  }

  stop(): void {
    this.server.close();
    this.breakConnections();
    this.#session?.http2.destroy();
  }

  private breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  private passRequests(server: Server): void {
    server.on('request', (incoming, response) => {
      const { method, headers, url: path } = incoming;
      const { hostname, port } = new URL(this.#target);
      const passed = request({ hostname, port, path, method, headers });
      passed.on('response', (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => incoming.socket.destroy());
      incoming.pipe(passed);
    });
    server.on('upgrade', (incoming, socket, head) => this.passUpgrade(incoming, socket, head));
  }

  private passUpgrade({ url, rawHeaders }: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { hostname, port } = new URL(this.#target);
    const upstream = connect(Number(port), hostname);
    const lines = Array.from(
      { length: rawHeaders.length / 2 },
      (_, index) => `${rawHeaders[2 * index]}: ${rawHeaders[2 * index + 1]}\r\n`,
    );
    upstream.write(`GET ${url} HTTP/1.1\r\n${lines.join('')}\r\n`);
    upstream.write(head);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  }

  private passStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const passed = this.connect().request({ ...headers, ':authority': undefined });
    let trailers: IncomingHttpHeaders = {};
    passed.on('response', (answer, flags) => {
      // An answer without messages is one block of headers.
      const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      stream.respond(answer, isWhole ? { endStream: true } : { waitForTrailers: true });
      if (!isWhole) passed.pipe(stream);
    });
    passed.on('trailers', (received: IncomingHttpHeaders) => (trailers = received));
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.on('error', () => undefined);
    stream.on('close', () => passed.close(stream.rstCode));
    passed.on('error', () => stream.close(constants.NGHTTP2_REFUSED_STREAM));
    passed.on('close', () => {
      if (passed.rstCode !== constants.NGHTTP2_NO_ERROR) stream.close(passed.rstCode);
    });
    stream.pipe(passed);
  }

  private connect(): ClientHttp2Session {
    const target = this.#target;
    const session = this.#session;
    // A connection that was refused is destroyed, and never closed.
    const isOpen = session !== null && !session.http2.closed && !session.http2.destroyed;
    if (isOpen && session.target === target) return session.http2;
    const http2 = connectHttp2(target.replace(/^grpc:/, 'http:'));
    http2.on('error', () => undefined);
    // Its open streams continue.
    session?.http2.close();
    this.#session = { target, http2 };
    return http2;
  }
}
