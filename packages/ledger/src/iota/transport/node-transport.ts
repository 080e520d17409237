import type { ExpectedPayment } from '../../expected-payment.js';

/** The method that names a node's network. */
export const IDENTIFY = 'iota_getChainIdentifier';

/** A JSON-RPC method and its parameters. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Of the transaction that is looked up. */
  readonly payment?: ExpectedPayment | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Of a read of objects: versions that the caller knows of some of them, by id. A dialect that does not tell
   * a deleted object from one that never existed finds out by them.
   */
  readonly knownVersions?: ReadonlyMap<string, number> | undefined;
}

/** Carries out calls at one node, or at any of several. */
export interface CallSender {
  /**
   * Rejects with `NodeRefusal` when the node answers with an error, and with `NodeFailure` for every other
   * failure.
   */
  send(call: RpcCall): Promise<unknown>;
}

/** Carries calls to a node over one connection, which it opens when a call needs it. */
export interface NodeTransport {
  /**
   * Returns the result of a call. Rejects with `NodeRefusal` when the node answers with an error, and with
   * `NodeFailure` for every other failure.
   */
  call(call: RpcCall, timeoutMs: number): Promise<unknown>;
  /** Whether it carries several calls at once. */
  readonly isShared: boolean;
  close(): void;
}

export interface TransportEvents {
  readonly onConnect: () => void;
  readonly onDisconnect: () => void;
}

export interface TransportOptions {
  readonly url: string;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Time limit of one call, in milliseconds. */
  readonly timeoutMs: number;
}
