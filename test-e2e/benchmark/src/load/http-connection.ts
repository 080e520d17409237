import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * One kept-alive connection with one request at a time and little processor time, so that load and
 * services can share a machine. It reads only responses with a `Content-Length`, which the services
 * send.
 */
export class HttpConnection {
  #received: Buffer = Buffer.alloc(0);
  #waiting: PromiseWithResolvers<HttpAnswer> | null = null;

  private constructor(
    private readonly socket: Socket,
    private readonly host: string,
    private readonly token: string | null,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error(`${host} closed the connection`)));
  }

  static async open(url: string, token: string | null = null): Promise<HttpConnection> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new HttpConnection(socket, host, token);
  }

  /** Posts JSON. Rejects when the connection breaks. */
  post(path: string, body: string): Promise<HttpAnswer> {
    const head = [
      `POST ${path} HTTP/1.1`,
      `host: ${this.host}`,
      ...(this.token === null ? [] : [`authorization: Bearer ${this.token}`]),
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    this.#waiting = Promise.withResolvers<HttpAnswer>();
    this.socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    return this.#waiting.promise;
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const start = headEnd + HEAD_END.length;
    const end = start + Number(CONTENT_LENGTH.exec(head)?.[1]);
    if (Number.isNaN(end)) return this.fail(new Error(`a response without a length: ${head}`));
    if (this.#received.length < end) return;
    const text = this.#received.toString('utf8', start, end);
    this.#received = this.#received.subarray(end);
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve({ status: Number(head.slice(9, 12)), text });
  }

  private fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = null;
  }
}
