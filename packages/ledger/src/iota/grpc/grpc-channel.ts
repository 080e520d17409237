import { createSecureContext } from 'node:tls';
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
import { NodeFailure } from '../transport/node-errors.js';
import { failureOf } from './grpc-errors.js';

const MOST_MESSAGE_BYTES = 128 * 1024 * 1024;
const CONNECT_MS = 5_000;
const KEEP_ALIVE = { everyMs: 30_000, timeoutMs: 10_000 };
const PLAIN_PORT = 50_051;
const TLS_PORT = 443;

export interface ChannelOptions {
  /** `grpc://host:port`, or `grpcs://host:port` for TLS. */
  readonly url: string;
  /** Sent with every call. */
  readonly headers: Readonly<Record<string, string>>;
  /** Pings while calls are open, and the time limit of their answers. */
  readonly keepAlive?: { readonly everyMs: number; readonly timeoutMs: number };
  readonly onConnect?: () => void;
  readonly onDisconnect?: () => void;
}

/**
 * Calls to one node over HTTP/2. Every call has a deadline (`performance.now()`), and rejects with `NodeFailure` or
 * `NodeRefusal`.
 */
export class GrpcChannel {
  #client: Client;
  readonly #metadata = new Metadata();

  constructor(private readonly options: ChannelOptions) {
    for (const [name, value] of Object.entries(options.headers)) this.#metadata.set(name, value);
    this.#client = this.open();
  }

  private open(): Client {
    const { url, keepAlive = KEEP_ALIVE } = this.options;
    const { hostname, port, protocol } = new URL(url);
    const isSecure = protocol === 'grpcs:';
    // Node's authorities, with those of NODE_EXTRA_CA_CERTS; grpc-js reads another variable too.
    const security = isSecure
      ? credentials.createFromSecureContext(createSecureContext())
      : credentials.createInsecure();
    const target = `${hostname}:${port || (isSecure ? TLS_PORT : PLAIN_PORT)}`;
    const client = new Client(target, security, {
      'grpc.max_receive_message_length': MOST_MESSAGE_BYTES,
      'grpc.max_send_message_length': MOST_MESSAGE_BYTES,
      'grpc.keepalive_time_ms': keepAlive.everyMs,
      'grpc.keepalive_timeout_ms': keepAlive.timeoutMs,
      // As for JSON-RPC: neither a proxy from the environment nor retries by a policy from DNS.
      'grpc.enable_http_proxy': 0,
      'grpc.service_config_disable_resolution': 1,
      // They cost processor time in each call.
      'grpc.enable_retries': 0,
      'grpc.enable_channelz': 0,
      // Connections of closed clients are not used again.
      'grpc.use_local_subchannel_pool': 1,
    });
    this.watch(client);
    return client;
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
    const answers: MessageShape<O>[] = [];
    for await (const answer of this.stream(method, request, endsAt)) answers.push(answer);
    return answers;
  }

  /**
   * The messages of a stream, as fast as the caller takes them. Without `endsAt` it lasts until the node ends it, the
   * connection is lost or the caller stops.
   */
  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    endsAt = Infinity,
    signal?: AbortSignal,
  ): AsyncGenerator<MessageShape<O>> {
    await this.connect(endsAt);
    const { path, requestSerialize, responseDeserialize } = definitionOf(method);
    const stream = this.#client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      create(method.input, request) as Message,
      this.#metadata,
      endsAt === Infinity ? {} : { deadline: deadlineAt(endsAt) },
    );
    const cancel = () => stream.cancel();
    signal?.addEventListener('abort', cancel);
    try {
      for await (const answer of stream) yield answer as MessageShape<O>;
    } catch (error) {
      if (!signal?.aborted) throw failureOf(error as ServiceError);
    } finally {
      signal?.removeEventListener('abort', cancel);
      cancel();
    }
  }

  close(): void {
    this.#client.close();
  }

  /** Rejects with a `NodeFailure` that excludes processing: the call has not been sent. */
  private async connect(endsAt: number): Promise<void> {
    const until = deadlineAt(Math.min(endsAt, performance.now() + CONNECT_MS));
    // Otherwise the pause after an earlier attempt would fail the call, although the node may be back.
    if (this.state === connectivityState.TRANSIENT_FAILURE) {
      this.#client.close();
      this.#client = this.open();
    }
    for (;;) {
      const { state } = this;
      if (state === connectivityState.READY) return;
      if (state === connectivityState.TRANSIENT_FAILURE) throw notConnected(await this.reason());
      if (state === connectivityState.SHUTDOWN) throw notConnected('the connection is closed');
      await new Promise<void>((resolve, reject) => {
        this.#client
          .getChannel()
          .watchConnectivityState(state, until, (error) =>
            error ? reject(notConnected('no connection in time')) : resolve(),
          );
      });
    }
  }

  /** The reason of a failed connection, which only calls learn: this one fails before it is sent. */
  private reason(): Promise<string> {
    const nothing = Buffer.alloc(0);
    const options = { deadline: Date.now() + CONNECT_MS };
    return new Promise((resolve) => {
      this.#client.makeUnaryRequest(
        '/grpc.health.v1.Health/Check',
        () => nothing,
        () => nothing,
        nothing,
        options,
        (error: ServiceError | null) => resolve(error?.details ?? 'no connection'),
      );
    });
  }

  /** Opens an idle connection. */
  private get state(): connectivityState {
    return this.#client.getChannel().getConnectivityState(true);
  }

  private watch(client: Client): void {
    const channel = client.getChannel();
    const next = (state: connectivityState) =>
      channel.watchConnectivityState(state, Infinity, (error) => {
        const now = channel.getConnectivityState(false);
        if (error || now === connectivityState.SHUTDOWN) return;
        if (now === connectivityState.READY) this.options.onConnect?.();
        else this.options.onDisconnect?.();
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

function notConnected(message: string): NodeFailure {
  return new NodeFailure(message, { mayBeProcessed: false });
}

function deadlineAt(endsAt: number): Date {
  return new Date(Date.now() + Math.max(1, Math.ceil(endsAt - performance.now())));
}
