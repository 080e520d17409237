import { Client } from 'undici';
import { postCall } from './post-call.js';
import type {
  NodeTransport,
  RpcCall,
  TransportEvents,
  TransportOptions,
} from './node-transport.js';

const CONNECT_MS = 5_000;

/** JSON-RPC over HTTP. */
export class JsonRpcTransport implements NodeTransport {
  readonly isShared = false;
  readonly #client: Client;
  #nextId = 1;

  constructor(
    private readonly options: TransportOptions,
    { onConnect, onDisconnect }: TransportEvents,
  ) {
    const { url, timeoutMs } = options;
    this.#client = new Client(new URL(url).origin, {
      connect: { timeout: Math.min(timeoutMs, CONNECT_MS) },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    this.#client.on('connect', onConnect).on('disconnect', onDisconnect);
  }

  call(call: RpcCall, timeoutMs: number): Promise<unknown> {
    const { url, headers = {} } = this.options;
    return postCall({ url, headers, dispatcher: this.#client, timeoutMs }, call, this.#nextId++);
  }

  close(): void {
    void this.#client.close();
  }
}
