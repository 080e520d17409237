import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { EventPosition, StoredEventRecord } from '../index.js';

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The answer to an HTTP request instead of a page. */
export type Refusal =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | 'lost';

export interface Connection {
  readonly socket: WebSocket;
  /** The position of its subscription, once there is one. */
  position: EventPosition | null;
  /** It receives calls and answers nothing. */
  isSilent: boolean;
}

const SUBSCRIPTION = 5;

/** The `n`th event of a ledger on which every transaction has one event. Its cursor is `n`. */
export function eventOf(n: number): StoredEventRecord {
  return {
    timestamp: n,
    txDigest: 'AA==',
    id: { txSeq: n, eventSeq: 0 },
    event: { checkpoint: n },
  };
}

/** A server of JSON-RPC at `/rpc` that stands in for a service of events. */
export class StandInEvents {
  readonly records: StoredEventRecord[] = [];
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly call: Call }[] = [];
  /** Every connection since the start, the newest last. */
  readonly connections: Connection[] = [];
  /** Refusals of the next HTTP requests, one each. */
  readonly refusals: Refusal[] = [];
  /** Errors of the next calls to `ledger_subscribeEvent`, one each. */
  readonly subscribeErrors: RpcError[] = [];
  /** Number of next WebSockets that are refused with 503. */
  refusedSockets = 0;
  #watchers: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<StandInEvents> {
    const sockets = new WebSocketServer({ noServer: true });
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const call = JSON.parse(Buffer.concat(chunks).toString()) as Call;
        stand.requests.push({ headers: request.headers, call });
        const refusal = stand.refusals.shift();
        if (refusal === 'lost') return request.socket.destroy();
        if (refusal) return response.writeHead(refusal.status, refusal.headers).end(refusal.body);
        response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...stand.answer(call) }));
      });
    });
    server.on('upgrade', (request, socket, head) => {
      if (stand.refusedSockets > 0) {
        stand.refusedSockets -= 1;
        return socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n');
      }
      sockets.handleUpgrade(request, socket, head, (webSocket) => stand.accept(webSocket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stand = new StandInEvents(server, `http://127.0.0.1:${port}`);
    return stand;
  }

  get current(): Connection {
    return this.connections.at(-1)!;
  }

  /** Appends events to the ledger, and delivers them to subscriptions. */
  publish(count: number): void {
    for (let added = 0; added < count; added += 1) {
      const record = eventOf(this.records.length);
      this.records.push(record);
      for (const { socket, position, isSilent } of this.connections) {
        if (position !== null && !isSilent) notify(socket, { result: record });
      }
    }
  }

  /** Ends the subscription of the newest connection, with a reason. */
  endSubscription(error: RpcError): void {
    notify(this.current.socket, { error });
    this.current.position = null;
  }

  /** Ends all connections without a closing handshake. */
  drop(): void {
    for (const connection of this.connections) {
      connection.position = null;
      connection.socket.terminate();
    }
  }

  /** Resolves when this many connections have had a subscription. */
  async untilSubscribed(count = 1): Promise<void> {
    await this.until(
      () => this.connections.filter(({ position }) => position !== null).length >= count,
    );
  }

  /** Resolves when a connection is closed. */
  async untilClosed({ socket }: Connection): Promise<void> {
    if (socket.readyState !== socket.CLOSED) await once(socket, 'close');
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  async stop(): Promise<void> {
    this.drop();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(socket: WebSocket): void {
    const connection: Connection = { socket, position: null, isSilent: false };
    this.connections.push(connection);
    socket.on('message', (data: Buffer) => {
      if (connection.isSilent) return;
      const call = JSON.parse(data.toString()) as Call;
      const answer = this.answer(call);
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answer }));
      if (call.method === 'ledger_subscribeEvent' && 'result' in answer) {
        const position = call.params[1] as EventPosition;
        connection.position = position;
        const first = typeof position === 'object' ? position.txSeq + 1 : Number(position);
        for (const record of this.records.slice(first)) notify(socket, { result: record });
      }
      this.wake();
    });
    this.wake();
  }

  private answer({ method, params }: Call): { result: unknown } | { error: RpcError } {
    switch (method) {
      case 'ledger_getEvents':
        return { result: this.page(params) };
      case 'ledger_subscribeEvent': {
        const error = this.subscribeErrors.shift();
        return error ? { error } : { result: SUBSCRIPTION };
      }
      default:
        return { result: false };
    }
  }

  private page([, cursor, limit, ordering]: readonly unknown[]) {
    const isDescending = ordering === 'Descending';
    const inOrder = isDescending ? this.records.toReversed() : this.records;
    const first = cursor === null ? 0 : inOrder.findIndex(({ id }) => id.txSeq === cursor);
    const end = first + Number(limit);
    return { data: inOrder.slice(first, end), nextCursor: inOrder[end]?.id.txSeq ?? null };
  }

  private wake(): void {
    const watchers = this.#watchers;
    this.#watchers = [];
    for (const watcher of watchers) watcher();
  }
}

function notify(
  socket: WebSocket,
  content: { readonly result: StoredEventRecord } | { readonly error: RpcError },
): void {
  const params = { subscription: SUBSCRIPTION, ...content };
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'ledger_subscribeEvent', params }));
}
