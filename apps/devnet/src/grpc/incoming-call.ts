import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { toBinary } from '@bufbuild/protobuf';
import { type Status, StatusSchema } from '@forecourt/ledger/node-messages';
import { GrpcCode } from './grpc-codes.js';
import { failure } from './grpc-status.js';

const MOST_REQUEST_BYTES = 4 * 2 ** 20;
const MOST_HEADER_BYTES = 16 * 2 ** 10;
/** Bytes that HTTP/2 counts for each header besides its name and value. */
const HEADER_OVERHEAD = 32;
/** In front of each message: whether it is compressed, and its length in four bytes. */
const PREFIX_BYTES = 5;
const UNIT_MS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** A call on its HTTP/2 stream: one request, then headers, messages and a status. */
export class IncomingCall {
  readonly path: string;
  readonly #cancelled = new AbortController();
  #trailers: OutgoingHttpHeaders = {};

  constructor(
    private readonly stream: ServerHttp2Stream,
    readonly headers: IncomingHttpHeaders,
  ) {
    this.path = headers[':path'] ?? '';
    stream.on('error', () => undefined);
    stream.on('close', () => this.#cancelled.abort());
    stream.on('wantTrailers', () => stream.sendTrailers(this.#trailers));
  }

  /**
   * Aborted as soon as no more can be sent: by the caller, at its deadline, with the connection, or after the
   * end.
   */
  get cancelled(): AbortSignal {
    return this.#cancelled.signal;
  }

  /** `host:port` of the caller. */
  get peer(): string {
    const { remoteAddress, remotePort } = this.stream.session?.socket ?? {};
    return `${remoteAddress}:${remotePort}`;
  }

  get hasTooLargeHeaders(): boolean {
    const size = Object.entries(this.headers).reduce(
      (sum, [name, value]) => sum + name.length + String(value).length + HEADER_OVERHEAD,
      0,
    );
    return size > MOST_HEADER_BYTES;
  }

  /** Null without a deadline, and for one that cannot be read. */
  get deadlineMs(): number | null {
    const [, amount, unit] =
      /^(\d{1,8})([HMSmun])$/.exec(String(this.headers['grpc-timeout'])) ?? [];
    return unit === undefined ? null : Number(amount) * UNIT_MS[unit]!;
  }

  /** The request's bytes. Throws `GrpcFailure` for one that nodes do not take. */
  async readRequest(): Promise<Uint8Array> {
    const encoding = this.headers['grpc-encoding'] ?? 'identity';
    if (encoding !== 'identity') {
      const message = `Content is compressed with \`${String(encoding)}\` which isn't supported`;
      throw failure(GrpcCode.unimplemented, message);
    }
    const chunks: Buffer[] = [];
    let size = 0;
    let end = PREFIX_BYTES;
    for await (const chunk of this.stream.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size < end) continue;
      if (end === PREFIX_BYTES) end += readLength(Buffer.concat(chunks, size));
      if (size >= end) break;
    }
    this.stream.resume();
    if (size < end) throw failure(GrpcCode.internal, 'Missing request message.');
    return Buffer.concat(chunks, size).subarray(PREFIX_BYTES, end);
  }

  /** Sends the headers; messages follow. */
  begin(headers: OutgoingHttpHeaders): void {
    if (this.isOver) return;
    const all = { ':status': 200, 'content-type': 'application/grpc', ...headers };
    this.stream.respond(all, { waitForTrailers: true });
  }

  /** Waits while the caller takes no more. */
  async send(message: Uint8Array): Promise<void> {
    if (this.isOver) return;
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(message.length, 1);
    if (this.stream.write(Buffer.concat([prefix, message]))) return;
    await new Promise<void>((resolve) => {
      this.stream.once('drain', resolve);
      this.cancelled.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** A call that has not begun is answered with headers alone. */
  end(status: Pick<Status, 'code' | 'message'> & Partial<Status>): void {
    if (this.isOver) return;
    const trailers = {
      'grpc-status': String(status.code),
      ...(status.message !== '' && { 'grpc-message': encodeText(status.message) }),
      ...(status.$typeName && { 'grpc-status-details-bin': encodeDetails(status as Status) }),
    };
    if (this.stream.headersSent) {
      this.#trailers = trailers;
      this.stream.end();
    } else {
      const all = { ':status': 200, 'content-type': 'application/grpc', ...trailers };
      this.stream.respond(all, { endStream: true });
      this.stopReading();
    }
  }

  /** The answer of a proxy, or of HTTP itself. */
  endWithHttp(status: number, headers: OutgoingHttpHeaders = {}, body = ''): void {
    if (this.isOver) return;
    this.stream.respond({ ':status': status, ...headers });
    this.stream.end(body);
    this.stopReading();
  }

  /** Tells the caller that the rest of the request is not needed. */
  private stopReading(): void {
    if (this.stream.readableEnded) return;
    this.stream.resume();
    this.stream.close(constants.NGHTTP2_NO_ERROR);
  }

  private get isOver(): boolean {
    return this.stream.destroyed || this.stream.closed || this.stream.writableEnded;
  }
}

function readLength(message: Buffer): number {
  if (message[0] !== 0) {
    const text =
      'protocol error: received message with compressed-flag but no grpc-encoding was specified';
    throw failure(GrpcCode.internal, text);
  }
  const length = message.readUInt32BE(1);
  if (length > MOST_REQUEST_BYTES) {
    const text = `Error, decoded message length too large: found ${length} bytes, the limit is: ${MOST_REQUEST_BYTES} bytes`;
    throw failure(GrpcCode.outOfRange, text);
  }
  return length;
}

/** As nodes escape texts in headers. */
function encodeText(text: string): string {
  return text.replaceAll(/[^!$&-;=@-_a-z|~]/gu, (each) =>
    [...Buffer.from(each)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

function encodeDetails(status: Status): string {
  return Buffer.from(toBinary(StatusSchema, status)).toString('base64').replace(/=+$/, '');
}
