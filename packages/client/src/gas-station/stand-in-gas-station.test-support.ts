import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it arrived. */
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** A response, or the fate of the connection. */
export type Response =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Text is sent unchanged, anything else as JSON. */
      readonly body?: unknown;
    }
  /** The connection ends without a response. */
  | 'lost'
  /** The connection ends in the middle of the response. */
  | 'cut'
  /** The server does not answer until the client disconnects. */
  | 'silence';

export type Respond = (request: ReceivedRequest) => Response | Promise<Response>;

/** An HTTP server that stands in for a gas station, or for a proxy in front of one. */
export class StandInGasStation {
  readonly requests: ReceivedRequest[] = [];
  readonly #answers = new Set<Promise<void>>();
  #watchers: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
    /** Decides every response; may be replaced. */
    public respond: Respond,
  ) {}

  static async start(): Promise<StandInGasStation> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const received = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          text,
          body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
        };
        const answered = stand.receive(received).then(async (answer) => {
          if (answer === 'silence') return;
          if (answer === 'lost') return void request.socket.destroy();
          if (answer === 'cut') {
            response.writeHead(200, { 'content-length': '100' }).write('{"eff');
            setImmediate(() => request.socket.destroy());
            return;
          }
          const { status = 200, headers = {}, body = {} } = answer;
          response.writeHead(status, headers);
          response.end(typeof body === 'string' ? body : JSON.stringify(body));
          await once(response, 'close');
        });
        stand.#answers.add(answered);
        void answered.finally(() => stand.#answers.delete(answered));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stand = new StandInGasStation(server, `http://127.0.0.1:${port}`, () => ({
      status: 404,
    }));
    return stand;
  }

  requestsTo(path: string): readonly ReceivedRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  /** Resolves once this many requests have arrived at a path. */
  async untilReceived(path: string, count = 1): Promise<void> {
    while (this.requestsTo(path).length < count) {
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  /** Forgets all requests. */
  clear(): void {
    this.requests.length = 0;
  }

  /** A client whose answer is lost would repeat its request after the end of its test. */
  async stop(): Promise<void> {
    await Promise.all(this.#answers);
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async receive(request: ReceivedRequest): Promise<Response> {
    this.requests.push(request);
    const watchers = this.#watchers;
    this.#watchers = [];
    for (const watcher of watchers) watcher();
    return this.respond(request);
  }
}

/** A refusal in the format of a gas station. */
export function refusal(
  status: number,
  code: string,
  error: string,
  retryAfterSecs?: number | string,
): Response {
  const headers = { 'error-code': code };
  return {
    status,
    headers:
      retryAfterSecs === undefined
        ? headers
        : { ...headers, 'retry-after': String(retryAfterSecs) },
    body: { error },
  };
}
