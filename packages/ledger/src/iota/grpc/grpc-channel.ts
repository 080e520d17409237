import type { OutgoingHttpHeaders } from 'node:http2';
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { NodeFailure } from '../transport/node-failure.js';
import { ACCEPTED_ENCODINGS, GrpcCall } from './grpc-call.js';
import { failureOf } from './grpc-errors.js';
import { GrpcError } from './grpc-error.js';
import { Http2Connection, type KeepAlive } from './http2-connection.js';

const CONNECT_MS = 5_000;
const KEEP_ALIVE: KeepAlive = { everyMs: 30_000, timeoutMs: 10_000 };
const PLAIN_PORT = 50_051;
const TLS_PORT = 443;
/** Of the header with a deadline, which has at most eight digits. */
const LONGEST_TIMEOUT_MS = 99_999_999;

export interface ChannelOptions {
  /** `grpc://host:port`, or `grpcs://host:port` for TLS. */
  readonly url: string;
  /** Sent with every call. */
  readonly headers: Readonly<Record<string, string>>;
  readonly keepAlive?: KeepAlive;
  readonly onConnect?: () => void;
  readonly onDisconnect?: () => void;
}

/** Several messages of a stream that belong together, which the caller keeps in memory. */
export interface StreamedPart<T> {
  readonly mostBytes: number;
  /** Whether this message is its last one. */
  readonly isEnd: (message: T) => boolean;
}

/** Of all messages of an answer: the largest one that nodes send. */
export const MOST_GRPC_BYTES = 128 * 2 ** 20;
const WHOLE_ANSWER: StreamedPart<unknown> = { mostBytes: MOST_GRPC_BYTES, isEnd: () => false };
const UNBOUNDED: StreamedPart<unknown> = { mostBytes: Infinity, isEnd: () => false };

/**
 * Calls to one node over HTTP/2. Every call has a deadline (`performance.now()`), and rejects with
 * `NodeFailure` or `NodeRefusal`.
 */
export class GrpcChannel {
  readonly #origin: string;
  readonly #headers: OutgoingHttpHeaders;
  #connection: Http2Connection | null = null;
  #connecting: Promise<Http2Connection> | null = null;
  #isClosed = false;

  constructor(private readonly options: ChannelOptions) {
    const { hostname, port, protocol } = new URL(options.url);
    const [scheme, usualPort] = protocol === 'grpcs:' ? ['https', TLS_PORT] : ['http', PLAIN_PORT];
    this.#origin = `${scheme}://${hostname}:${port || usualPort}`;
    const named = Object.entries(options.headers).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]);
    this.#headers = {
      ...(Object.fromEntries(named) as OutgoingHttpHeaders),
      ':method': 'POST',
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-accept-encoding': ACCEPTED_ENCODINGS,
    };
  }

  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    endsAt: number,
  ): Promise<MessageShape<O>> {
    const call = await this.start(method, request, endsAt);
    try {
      return readMessage(method, await call.only());
    } catch (error) {
      throw error instanceof GrpcError ? failureOf(error) : error;
    }
  }

  /** The messages of a stream that ends by itself, with a bound on all that the caller keeps. */
  parts<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    endsAt: number,
  ): AsyncGenerator<MessageShape<O>> {
    return this.stream(method, request, endsAt, undefined, WHOLE_ANSWER);
  }

  /** All messages of a stream that ends by itself. */
  async all<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    endsAt: number,
  ): Promise<MessageShape<O>[]> {
    const answers: MessageShape<O>[] = [];
    for await (const answer of this.parts(method, request, endsAt)) answers.push(answer);
    return answers;
  }

  /**
   * The messages of a stream, as fast as the caller takes them. Without `endsAt` it lasts until the node ends
   * it, the connection is lost or the caller stops.
   */
  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    endsAt = Infinity,
    signal?: AbortSignal,
    { mostBytes, isEnd }: StreamedPart<MessageShape<O>> = UNBOUNDED,
  ): AsyncGenerator<MessageShape<O>> {
    const call = await this.start(method, request, endsAt);
    const cancel = () => call.cancel();
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted) cancel();
    let bytes = 0;
    try {
      for await (const message of call.messages()) {
        bytes += message.length;
        if (bytes > mostBytes) throw tooLarge(method.name, mostBytes);
        const answer = readMessage(method, message);
        if (isEnd(answer)) bytes = 0;
        yield answer;
      }
    } catch (error) {
      if (signal?.aborted) return;
      throw error instanceof GrpcError ? failureOf(error) : error;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Open calls continue. */
  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
    this.#connecting?.then(
      (connection) => connection.close(),
      () => undefined,
    );
  }

  /** Rejects with a `NodeFailure` that excludes processing if the call cannot be sent. */
  private async start<I extends DescMessage>(
    method: DescMethod & { readonly input: I },
    request: MessageInitShape<I>,
    endsAt: number,
  ): Promise<GrpcCall> {
    const message = toBinary(method.input, create(method.input, request));
    const connection = this.#connection?.isOpen ? this.#connection : await this.connect(endsAt);
    const timeoutMs = Math.max(1, Math.ceil(endsAt - performance.now()));
    const headers: OutgoingHttpHeaders = {
      ...this.#headers,
      ':path': `/${method.parent.typeName}/${method.name}`,
    };
    if (timeoutMs <= LONGEST_TIMEOUT_MS) headers['grpc-timeout'] = `${timeoutMs}m`;
    try {
      return new GrpcCall(connection, headers, message, {
        timeoutMs,
        mostBytes: MOST_GRPC_BYTES,
        method: method.name,
        // The parts of a stream without end come when they come.
        isHastened: endsAt !== Infinity,
      });
    } catch (error) {
      throw unsent((error as Error).message);
    }
  }

  private async connect(endsAt: number): Promise<Http2Connection> {
    if (this.#isClosed) throw unsent('the connection is closed');
    this.#connecting ??= this.open().finally(() => (this.#connecting = null));
    const withinMs = Math.max(1, endsAt - performance.now());
    let timer: NodeJS.Timeout | undefined;
    const outOfTime = new Promise<never>((_resolve, reject) => {
      if (withinMs >= CONNECT_MS) return;
      timer = setTimeout(() => reject(new Error('no connection in time')), withinMs);
    });
    try {
      return await Promise.race([this.#connecting, outOfTime]);
    } catch (error) {
      throw unsent((error as Error).message);
    } finally {
      clearTimeout(timer);
    }
  }

  private async open(): Promise<Http2Connection> {
    const { keepAlive = KEEP_ALIVE, onConnect, onDisconnect } = this.options;
    const connection = await Http2Connection.open(this.#origin, CONNECT_MS, keepAlive);
    this.#connection = connection;
    connection.onClose(() => {
      if (this.#connection !== connection) return;
      this.#connection = null;
      onDisconnect?.();
    });
    onConnect?.();
    return connection;
  }
}

function tooLarge(method: string, mostBytes: number): NodeFailure {
  return new NodeFailure(`${method}: the answer exceeds ${mostBytes} bytes`, {
    mayBeProcessed: true,
    isInvalid: true,
  });
}

function unsent(message: string): NodeFailure {
  return new NodeFailure(message, { mayBeProcessed: false });
}

/**
 * Throws `NodeFailure` for bytes that are not of the method's output: the node may have processed the call
 * all the same.
 */
function readMessage<O extends DescMessage>(
  { name, output }: DescMethod & { readonly output: O },
  bytes: Uint8Array,
): MessageShape<O> {
  try {
    return fromBinary(output, bytes);
  } catch (cause) {
    const message = `${name}: malformed answer: ${(cause as Error).message}`;
    throw new NodeFailure(message, { mayBeProcessed: true, isInvalid: true, cause });
  }
}
