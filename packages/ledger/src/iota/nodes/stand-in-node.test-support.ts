import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LedgerNodes } from './ledger-nodes.js';

/**
 * Response of a stand-in to a call: a result, a JSON-RPC error, or an HTTP response of any form.
 */
export type Response =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** The connection is closed without a response. */
  | 'reset'
  /** No response at all. */
  | 'silence';

export interface ReceivedCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly headers: IncomingHttpHeaders;
}

/** A server that replaces a node where devnet cannot behave like a real one. */
export class StandInNode {
  /** Excludes requests for the network that the stand-in answers itself. */
  readonly calls: ReceivedCall[] = [];
  connections = 0;
  /** Number of requests for the network that the stand-in answered itself. */
  identified = 0;
  /** Whether it closes every connection after one response. */
  closesConnections = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    /** Decides every response; may be replaced. */
    public respond: (call: ReceivedCall) => Response | Promise<Response>,
    /** The network that it names; null: `respond` answers this call as well. */
    public chain: string | null,
  ) {}

  static async start(
    respond: (call: ReceivedCall) => Response | Promise<Response>,
    chain: string | null = 'a1b2c3d4',
    port = 0,
  ): Promise<StandInNode> {
    const server = createServer((request, response) => {
      // An attempt at a WebSocket.
      if (request.method !== 'POST') return response.writeHead(426).end();
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      const serve = async () => {
        const { id, method, params } = JSON.parse(text) as ReceivedCall & { id: number };
        const call = { method, params, headers: request.headers };
        const answer = await node.answer(call);
        if (node.closesConnections) response.setHeader('connection', 'close');
        if (answer === 'silence') return;
        if (answer === 'reset') {
          request.socket.destroy();
        } else if ('status' in answer) {
          response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
        } else {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
        }
      };
      request.on('end', () => void serve());
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const node = new StandInNode(server, url, respond, chain);
    server.on('connection', () => (node.connections += 1));
    return node;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  private answer(call: ReceivedCall): Response | Promise<Response> {
    if (call.method === 'iota_getChainIdentifier' && this.chain !== null) {
      this.identified += 1;
      return { result: this.chain };
    }
    this.calls.push(call);
    return this.respond(call);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }
}

/** The client that the service uses. */
export function clientOf(...nodes: readonly StandInNode[]): LedgerNodes {
  const urls = nodes.map(({ url }) => url);
  return new LedgerNodes({ urls, timeoutMs: 5_000 });
}

/** A checkpoint as nodes show it. */
export const aCheckpoint = (number: number, time = 0) => ({
  sequenceNumber: String(number),
  digest: 'D',
  previousDigest: 'P',
  epoch: '0',
  timestampMs: String(time),
  networkTotalTransactions: String(number + 1),
  transactions: ['D'],
});
