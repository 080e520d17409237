import {
  createServer as createPlainServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Certificate } from './certificate.js';
import { HeldKey, type HeldScheme } from './held-key.js';
import type { KeyFault } from './key-fault.js';
import { type Answer, type KeyRequest, type Protocol, protocols } from './protocols.js';

export interface KeyServerOptions {
  readonly protocol: Protocol;
  readonly scheme?: HeldScheme;
  readonly key?: HeldKey;
  readonly port?: number;
  /** Absent: plain HTTP. */
  readonly tls?: Certificate;
}

const STATUSES: Partial<Record<KeyFault, number>> = { throttled: 429, down: 503, refused: 403 };

/** A small server that speaks the protocol of a key service, with a real key, and with faults. */
export class KeyServer {
  readonly key: HeldKey;
  /** Requests that it has received. */
  readonly requests: KeyRequest[] = [];
  /** Most requests that were under way at the same time. */
  mostAtOnce = 0;
  /** Requests whose answers it has made, whether their clients still wait or not. */
  answered = 0;
  fault: KeyFault | null = null;
  delayMs = 0;
  /** The first of these many requests meet the fault; the others do not. */
  faultyRequests = Infinity;
  /** Credentials that it accepts besides the usual ones; a request without is refused. */
  tokens: ReadonlySet<string> | null = null;
  port = 0;
  readonly #other: HeldKey;
  readonly #server;
  #atOnce = 0;

  private constructor(private readonly options: KeyServerOptions) {
    this.key = options.key ?? new HeldKey(options.scheme ?? 'ed25519');
    this.#other = new HeldKey(this.key.scheme);
    const serve = (request: IncomingMessage, response: ServerResponse) =>
      void this.serve(request, response).catch(() => response.destroy());
    const { tls } = options;
    this.#server = tls ? createTlsServer(tls, serve) : createPlainServer(serve);
  }

  static async start(options: KeyServerOptions): Promise<KeyServer> {
    const server = new KeyServer(options);
    await server.listen(options.port ?? 0);
    return server;
  }

  /** `host:port`. */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Its key as an entry of SPONSOR_KEYS. */
  entry(parameters: Readonly<Record<string, string>> = {}): string {
    const { host, key, options } = this;
    const query = new URLSearchParams({ address: key.address, ...parameters }).toString();
    return `${protocols[options.protocol].url(host, options.tls !== undefined)}${query}`;
  }

  /** Stops answering: connections are refused. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Listens again, at the same port. */
  async restart(): Promise<void> {
    await this.listen(this.port);
  }

  private async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    this.port = (this.#server.address() as AddressInfo).port;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    try {
      const text = await readBody(request);
      const received = {
        method: request.method!,
        url: request.url!,
        headers: request.headers,
        text,
      };
      this.requests.push(received);
      if (this.delayMs > 0) await delay(this.delayMs);
      const fault = this.faultyRequests > 0 ? this.fault : null;
      if (fault !== null) this.faultyRequests -= 1;
      if (fault === 'hanging') return;
      const answer = await this.answer(received, fault);
      this.answered += 1;
      const body = Buffer.from(JSON.stringify(answer.body));
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'content-length': body.length,
        ...answer.headers,
      });
      if (fault === 'truncated') {
        response.write(body.subarray(0, body.length / 2));
        response.destroy();
      } else response.end(body);
    } finally {
      this.#atOnce -= 1;
    }
  }

  private answer(received: KeyRequest, fault: KeyFault | null): Answer | Promise<Answer> {
    const status = STATUSES[fault!];
    const secrets = Object.values(received.headers).join(' ');
    const isKnown =
      this.tokens === null || [...this.tokens].some((token) => secrets.includes(token));
    // A service that repeats what it was sent must not bring a secret into a log.
    if (status !== undefined) return { status, body: { errors: [secrets, received.text] } };
    const signing = { key: fault === 'wrong-key' ? this.#other : this.key, fault };
    return protocols[this.options.protocol].answer(received, signing, isKnown);
  }
}

/** Without the iterators of streams, which take longer than a signature. */
function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => void chunks.push(chunk))
      .on('end', () => resolve(Buffer.concat(chunks).toString()))
      .on('error', reject);
  });
}
