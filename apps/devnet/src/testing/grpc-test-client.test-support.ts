import { create, type DescMessage, type Message, type MessageShape } from '@bufbuild/protobuf';
import type {
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
} from '@bufbuild/protobuf';
import { methodDefinition } from '@forecourt/ledger/node-messages';
import { Client, type ClientReadableStream, credentials, Metadata } from '@grpc/grpc-js';

interface CallLimits {
  readonly deadlineMs?: number;
  readonly cancelled?: AbortSignal;
}

/** A client of the gRPC services of a devnet. */
export class GrpcTestClient {
  readonly #client: Client;

  constructor(
    url: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {
    // Another client's connection to the same address may be waiting before its next attempt.
    const options = { 'grpc.use_local_subchannel_pool': 1 };
    this.#client = new Client(new URL(url).host, credentials.createInsecure(), options);
  }

  /**
   * Rejects with grpc-js's `ServiceError`; after `deadlineMs`, or when `cancelled` aborts, without an answer.
   */
  unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    { deadlineMs, cancelled }: CallLimits = {},
  ): Promise<MessageShape<O>> {
    const { path, requestSerialize, responseDeserialize } = methodDefinition(method);
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        create(method.input, request) as Message,
        this.metadata(),
        deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs },
        (error, answer) => (error ? reject(error) : resolve(answer as MessageShape<O>)),
      );
      cancelled?.addEventListener('abort', () => call.cancel());
    });
  }

  stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
  ): ClientReadableStream<MessageShape<O>> {
    const { path, requestSerialize, responseDeserialize } = methodDefinition(method);
    return this.#client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      create(method.input, request) as Message,
      this.metadata(),
    ) as unknown as ClientReadableStream<MessageShape<O>>;
  }

  /** Every message of a stream that ends. */
  async all<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
  ): Promise<MessageShape<O>[]> {
    const answers: MessageShape<O>[] = [];
    for await (const answer of this.stream(method, request)) {
      answers.push(answer as MessageShape<O>);
    }
    return answers;
  }

  close(): void {
    this.#client.close();
  }

  private metadata(): Metadata {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(this.headers)) metadata.set(name, value);
    return metadata;
  }
}
