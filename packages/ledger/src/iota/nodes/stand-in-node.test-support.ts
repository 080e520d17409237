import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IotaClient } from '@iota/iota-sdk/client';
import { createNodeClient } from './create-node-client.js';

/** What a stand-in responds to a call: a result, a JSON-RPC error, or an HTTP response of any form. */
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

/** A server that stands in for a node where devnet cannot behave as real ones do. */
export class StandInNode {
  readonly calls: ReceivedCall[] = [];
  connections = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    /** Decides every response; may be replaced. */
    public respond: (call: ReceivedCall) => Response,
  ) {}

  static async start(respond: (call: ReceivedCall) => Response): Promise<StandInNode> {
    const server = createServer((request, response) => {
      // An attempt at a WebSocket.
      if (request.method !== 'POST') return response.writeHead(426).end();
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        const { id, method, params } = JSON.parse(text) as ReceivedCall & { id: number };
        const call = { method, params, headers: request.headers };
        node.calls.push(call);
        const answer = node.respond(call);
        if (answer === 'silence') return;
        if (answer === 'reset') {
          request.socket.destroy();
        } else if ('status' in answer) {
          response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
        } else {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
        }
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const node = new StandInNode(server, `http://127.0.0.1:${port}`, respond);
    server.on('connection', () => (node.connections += 1));
    return node;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }
}

/** The SDK's client on the transport that the service uses. */
export function clientOf(...nodes: readonly StandInNode[]): IotaClient {
  const urls = nodes.map(({ url }) => url);
  return createNodeClient({ urls, timeoutMs: 5_000 });
}
