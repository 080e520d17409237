import {
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { Http2Connection } from './http2-connection.js';
import { errorOfReset, readHttpError, readStatus, status } from './grpc-errors.js';
import { UnreadableAnswer } from './unreadable-answer.js';
import { GrpcError } from './grpc-error.js';
import { FrameReader, PREFIX_BYTES, DECODERS } from './frame-reader.js';

/** Longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

export interface CallLimits {
  readonly timeoutMs: number;
  /** Of one message. */
  readonly mostBytes: number;
  /** See `Http2Connection.request`. */
  readonly isHastened: boolean;
  /** The name of the method, for errors. */
  readonly method?: string;
}

/** A call with one request: sends it, and reads the messages and the status of the answer. */
export class GrpcCall {
  readonly #stream: ClientHttp2Stream;
  readonly #reader: FrameReader;
  readonly #timer: NodeJS.Timeout | undefined;
  #encoding: string | undefined;
  /** The headers already hold the error: what follows is not a message. */
  #isRefused = false;
  /**
   * The node's error, or null for OK; undefined until it arrives, which can be before the last messages are
   * read.
   */
  #status: GrpcError | null | undefined;

  /** Throws for headers that HTTP/2 does not allow. */
  constructor(
    private readonly connection: Http2Connection,
    headers: OutgoingHttpHeaders,
    request: Uint8Array,
    { timeoutMs, mostBytes, method, isHastened }: CallLimits,
  ) {
    this.#reader = new FrameReader(mostBytes, method);
    this.#stream = connection
      .request(headers, isHastened)
      .on('response', (answer) => this.readHeaders(answer))
      .on('trailers', (trailers: IncomingHttpHeaders) => (this.#status ??= readStatus(trailers)))
      .on('error', () => undefined);
    if (timeoutMs <= LONGEST_MS) {
      this.#timer = setTimeout(() => this.end(outOfTime()), timeoutMs);
    }
    this.#stream.end(frameOf(request));
  }

  /** The only message of the answer. Rejects with `GrpcError`. */
  only(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      let message: Uint8Array | null = null;
      const read = (chunk: Buffer) => {
        try {
          for (const each of this.read(chunk)) message ??= each;
        } catch (error) {
          this.end(error as GrpcError);
        }
      };
      const settle = (cause?: Error) => {
        clearTimeout(this.#timer);
        const error = this.outcome(cause);
        if (error) reject(error);
        else if (message === null) reject(new UnreadableAnswer(status.INTERNAL, 'no message'));
        else resolve(message);
      };
      this.#stream.on('data', read).once('error', settle).once('end', settle).once('close', settle);
    });
  }

  /** The messages of the answer, as fast as the caller takes them. Throws `GrpcError`. */
  async *messages(): AsyncGenerator<Uint8Array> {
    let cause: Error | undefined;
    try {
      const chunks: AsyncIterable<Buffer> = this.#stream.iterator({ destroyOnReturn: false });
      for await (const chunk of chunks) yield* this.read(chunk);
    } catch (error) {
      cause = error as Error;
    } finally {
      clearTimeout(this.#timer);
      this.cancel();
    }
    const error = this.outcome(cause);
    if (error) throw error;
  }

  /** Ends the call unless it has ended. */
  cancel(): void {
    const { destroyed, readableEnded } = this.#stream;
    if (!destroyed && !readableEnded) this.end(new GrpcError(status.CANCELLED, 'cancelled'));
  }

  private end(error: GrpcError): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
    // A connection that hangs would never send the reset, and the stream would stay open.
    this.#stream.destroy(error);
  }

  private readHeaders(headers: IncomingHttpHeaders): void {
    const { 'grpc-encoding': encoding } = headers;
    if (typeof encoding === 'string') this.#encoding = encoding;
    // An answer without messages is one block of headers, which holds the status.
    this.#status = readStatus(headers);
    if (this.#status === undefined) this.#status = readHttpError(headers) ?? undefined;
    this.#isRefused = this.#status !== undefined;
  }

  /** The messages that are complete with this chunk. */
  private *read(chunk: Buffer): Generator<Uint8Array> {
    if (this.#isRefused) return;
    this.#reader.push(chunk);
    for (let next; (next = this.#reader.next(this.#encoding)) !== null;) yield next;
  }

  /** The error of a call that has ended, null for OK. `cause`: what ended it, if it was not the node. */
  private outcome(cause?: Error): GrpcError | null {
    if (cause instanceof GrpcError) return cause;
    if (this.#status !== undefined) {
      const isCut = this.#status === null && this.#reader.hasRest;
      if (isCut) return new UnreadableAnswer(status.INTERNAL, 'the answer is cut off');
      return this.#status;
    }
    const reset = errorOfReset(this.#stream.rstCode ?? constants.NGHTTP2_NO_ERROR);
    if (this.connection.isOpen || !reset.mayBeProcessed) return reset;
    const reason = cause?.message ?? 'the connection was lost';
    return new GrpcError(status.UNAVAILABLE, reason);
  }
}

function outOfTime(): GrpcError {
  return new GrpcError(status.DEADLINE_EXCEEDED, 'no answer in time');
}

/** The encodings that `FrameReader` reads. */
export const ACCEPTED_ENCODINGS = ['identity', ...Object.keys(DECODERS)].join(',');

/** A message with its prefix, not compressed. */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  return frame;
}
