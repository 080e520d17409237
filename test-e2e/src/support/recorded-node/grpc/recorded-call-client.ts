import { Client, type ClientReadableStream, credentials, type Metadata } from '@grpc/grpc-js';

/** Numbers of grpc-js for the compression of requests. */
export const COMPRESSIONS = { none: 0, deflate: 1, gzip: 2 } as const;

export interface RawCall {
  readonly path: string;
  readonly request: Uint8Array;
  readonly compression: keyof typeof COMPRESSIONS;
  readonly deadlineMs?: number;
  /** The call is cancelled after this time. */
  readonly cancelMs?: number;
  /** It is cancelled after this number of messages. */
  readonly mostMessages?: number;
}

export interface RawAnswer {
  readonly responses: readonly Uint8Array[];
  readonly code: number;
  readonly message: string;
  /** The serialized status with its details; null without. */
  readonly status: Uint8Array | null;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Sends calls as bytes. */
export class RecordedCallClient {
  readonly #clients = new Map<string, Client>();

  constructor(private readonly host: string) {}

  async send(call: RawCall): Promise<RawAnswer> {
    const { path, request, compression, deadlineMs, cancelMs, mostMessages } = call;
    const same = (bytes: Buffer) => bytes;
    // A call with one answer is a stream of one message.
    const stream = this.clientFor(compression).makeServerStreamRequest(
      path,
      same,
      same,
      Buffer.from(request),
      deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs },
    );
    const timer = cancelMs === undefined ? null : setTimeout(() => stream.cancel(), cancelMs);
    try {
      return await collect(stream, mostMessages ?? Infinity);
    } finally {
      if (timer) clearTimeout(timer);
    }
  }

  private clientFor(compression: keyof typeof COMPRESSIONS): Client {
    const known = this.#clients.get(compression);
    if (known) return known;
    const client = new Client(this.host, credentials.createInsecure(), {
      'grpc.default_compression_algorithm': COMPRESSIONS[compression],
      'grpc.max_receive_message_length': -1,
    });
    this.#clients.set(compression, client);
    return client;
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
  }
}

function collect(stream: ClientReadableStream<Buffer>, most: number): Promise<RawAnswer> {
  const responses: Buffer[] = [];
  let headers = {};
  stream.on('metadata', (metadata: Metadata) => (headers = metadata.getMap()));
  stream.on('data', (message: Buffer) => {
    responses.push(message);
    if (responses.length >= most) stream.cancel();
  });
  // The status says the same.
  stream.on('error', () => undefined);
  return new Promise((resolve) => {
    stream.on('status', ({ code, details, metadata }) => {
      const [status] = metadata.get('grpc-status-details-bin');
      const bytes = status instanceof Buffer ? status : null;
      resolve({ responses, code, message: details, status: bytes, headers });
    });
  });
}
