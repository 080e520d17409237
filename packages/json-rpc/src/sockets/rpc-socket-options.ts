import type { MessageOptions } from '../handle-message.js';
import type { ClientLimits } from '../limits/client-limits.js';
import type { RpcConnection } from './rpc-connection.js';

export interface RpcSocketOptions extends MessageOptions {
  readonly path: string;
  /** A larger message closes the connection with 1009. */
  readonly maxMessageBytes: number;
  readonly maxConnections: number;
  /** A client that has not responded to a ping when the next one is due is disconnected. */
  readonly pingIntervalMs: number;
  /** Calls of one connection that run at once; beyond it nothing more is read from the connection. */
  readonly maxPendingCalls: number;
  /** Nothing more is read from a connection with more unread response bytes. */
  readonly maxBufferedBytes: number;
  /** Bounds clients together; absent: each connection is bounded on its own. */
  readonly clients?: ClientLimits;
  /** Called before a connection is closed because it uses too much memory. */
  readonly onShed?: (connection: RpcConnection) => void;
  /**
   * Called when the peer has ended its half of the TCP connection without closing the WebSocket. Messages can still be sent
   * to it: a proxy that shuts down does this to have its client notified.
   */
  readonly onHalfClosed?: (connection: RpcConnection) => void;
}
