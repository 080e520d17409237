import type { ClientCall } from './routed-client.js';

/** A connection to a node in one of its dialects, which it opens when a call needs it. */
export interface RemoteNode {
  /** Carries out a call, which ends after this time or when its signal aborts; rejects as `NodeClient`. */
  run<T>(call: ClientCall<T>, timeoutMs: number): Promise<T>;
  /** Whether it carries several calls at once. */
  readonly isShared: boolean;
  close(): void;
}

export interface RemoteNodeEvents {
  readonly onConnect: () => void;
  readonly onDisconnect: () => void;
}

export interface RemoteNodeOptions {
  readonly url: string;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Time limit of one call, in milliseconds. */
  readonly timeoutMs: number;
}
