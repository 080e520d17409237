import {
  create,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type DescMessage,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { methodDefinition } from '@forecourt/node-messages';
import { Client, connectivityState, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { failureOf, notConnected } from './grpc-errors.js';

const MOST_MESSAGE_BYTES = 128 * 1024 * 1024;
const CONNECT_MS = 5_000;
const KEEP_ALIVE_MS = 30_000;

export interface ChannelOptions {
  /** `grpc://host:port`, or `grpcs://host:port` for TLS. */
  readonly url: string;
  /** Sent with every call. */
  readonly headers: Readonly<Record<string, string>>;
  readonly onConnect: () => void;
  readonly onDisconnect: () => void;
}

/**
 * Calls to one node over HTTP/2. Every call has a deadline (`performance.now()`), and rejects with `NodeFailure` or
 * `NodeRefusal`.
 */
export class GrpcChannel {
  readonly #client: Client;
  readonly #metadata = new Metadata();

  constructor(private readonly options: ChannelOptions) {
    const { host, protocol } = new URL(options.url);
    const security = protocol === 'grpcs:' ? credentials.createSsl() : credentials.createInsecure();
    this.#client = new Client(host, security, {
      'grpc.max_receive_message_length': MOST_MESSAGE_BYTES,
      'grpc.max_send_message_length': MOST_MESSAGE_BYTES,
      'grpc.keepalive_time_ms': KEEP_ALIVE_MS,
    });
    for (const [name, value] of Object.entries(options.headers)) this.#metadata.set(name, value);
    this.watch();
  }

  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    endsAt: number,
  ): Promise<MessageShape<O>> {
    await this.connect(endsAt);
    const { path, requestSerialize, responseDeserialize } = definitionOf(method);
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        create(method.input, request) as Message,
        this.#metadata,
        { deadline: deadlineAt(endsAt) },
        (error: ServiceError | null, answer?: Message) =>
          error ? reject(failureOf(error)) : resolve(answer as MessageShape<O>),
      );
    });
  }

  /** All messages of a stream that ends by itself. */
  async all<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    endsAt: number,
  ): Promise<MessageShape<O>[]> {
    await this.connect(endsAt);
    const { path, requestSerialize, responseDeserialize } = definitionOf(method);
    const stream = this.#client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      create(method.input, request) as Message,
      this.#metadata,
      { deadline: deadlineAt(endsAt) },
    );
    const answers: MessageShape<O>[] = [];
    try {
      for await (const answer of stream) answers.push(answer as MessageShape<O>);
    } catch (error) {
      throw failureOf(error as ServiceError);
    }
    return answers;
  }

  close(): void {
    this.#client.close();
  }

  /** A call that waits for a connection has not been sent. */
  private connect(endsAt: number): Promise<void> {
    const channel = this.#client.getChannel();
    if (channel.getConnectivityState(true) === connectivityState.READY) return Promise.resolve();
    const until = Math.min(endsAt, performance.now() + CONNECT_MS);
    return new Promise((resolve, reject) => {
      this.#client.waitForReady(deadlineAt(until), (error) =>
        error ? reject(notConnected(error)) : resolve(),
      );
    });
  }

  private watch(): void {
    const channel = this.#client.getChannel();
    const next = (state: connectivityState) =>
      channel.watchConnectivityState(state, Infinity, (error) => {
        // The channel is closed.
        if (error) return;
        const now = channel.getConnectivityState(false);
        if (now === connectivityState.READY) this.options.onConnect();
        else this.options.onDisconnect();
        next(now);
      });
    next(channel.getConnectivityState(false));
  }
}

const definitions = new WeakMap<DescMethod, ReturnType<typeof methodDefinition>>();

function definitionOf(method: DescMethod): ReturnType<typeof methodDefinition> {
  let definition = definitions.get(method);
  if (!definition) definitions.set(method, (definition = methodDefinition(method)));
  return definition;
}

function deadlineAt(endsAt: number): Date {
  return new Date(Date.now() + Math.max(1, Math.ceil(endsAt - performance.now())));
}
