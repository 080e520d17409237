import { Client } from 'undici';
import type { RemoteNode, RemoteNodeEvents, RemoteNodeOptions } from '../client/remote-node.js';
import type { ClientCall } from '../client/routed-client.js';
import { createJsonRpcClient } from './create-json-rpc-client.js';
import { postCall } from './post-call.js';

const CONNECT_MS = 5_000;

/** A node over JSON-RPC and HTTP. */
export class JsonRpcNode implements RemoteNode {
  readonly isShared = false;
  readonly #url: URL;
  readonly #client: Client;
  #nextId = 1;

  constructor(
    private readonly options: RemoteNodeOptions,
    { onConnect, onDisconnect }: RemoteNodeEvents,
  ) {
    const { url, timeoutMs } = options;
    this.#url = new URL(url);
    this.#client = new Client(this.#url.origin, {
      connect: { timeout: Math.min(timeoutMs, CONNECT_MS) },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    this.#client.on('connect', onConnect).on('disconnect', onDisconnect);
  }

  run<T>({ ask, signal }: ClientCall<T>, timeoutMs: number): Promise<T> {
    const { headers = {} } = this.options;
    const endsAt = performance.now() + timeoutMs;
    const post = (call: { readonly method: string; readonly params: readonly unknown[] }) => {
      const leftMs = Math.max(1, Math.ceil(endsAt - performance.now()));
      const options = { url: this.#url, headers, dispatcher: this.#client, timeoutMs: leftMs };
      return postCall(options, { ...call, signal }, this.#nextId++);
    };
    return ask(createJsonRpcClient(post));
  }

  close(): void {
    void this.#client.close();
  }
}
