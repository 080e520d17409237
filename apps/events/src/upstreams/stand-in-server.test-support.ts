import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NodeOptions } from './call-node.js';
import { NodePause } from './node-pause.js';
import type { UpstreamFault } from './fault-report.js';

/** A response of a stand-in: a result, a JSON-RPC error, or an HTTP response of any form. */
export type Response =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

export interface ReceivedCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly headers: IncomingHttpHeaders;
}

/** A server that stands in for a node, or for a balancer in front of it. It refuses batches, like nodes. */
export class StandInServer {
  readonly calls: ReceivedCall[] = [];
  batches = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    /** Decides every response; may be replaced. */
    public respond: (call: ReceivedCall) => Response,
  ) {}

  static async start(respond: (call: ReceivedCall) => Response): Promise<StandInServer> {
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        const body = JSON.parse(text) as { id: number; method: string; params: unknown[] };
        if (Array.isArray(body)) stand.batches += 1;
        const { id, method, params } = body;
        const call = { method, params, headers: request.headers };
        stand.calls.push(call);
        const answer = stand.respond(call);
        if ('status' in answer) {
          response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
        } else {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
        }
      });
    });
    // Subscriptions do not work here; the live stream polls.
    server.on('upgrade', (_request, socket) => socket.destroy());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stand = new StandInServer(server, `http://127.0.0.1:${port}`, respond);
    return stand;
  }

  callsOf(method: string): readonly ReceivedCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** The options with which the service calls a stand-in; `faults` collects the reported faults. */
export function nodeOptions(
  { url }: StandInServer,
  faults: UpstreamFault[] = [],
): NodeOptions & { readonly faults: readonly UpstreamFault[] } {
  return {
    url,
    headers: {},
    timeoutMs: 5_000,
    pause: new NodePause(),
    onFault: (fault) => faults.push(fault),
    faults,
  };
}
