import type { CallOrigin } from './call-origin.js';
import type { RpcConnection } from './sockets/rpc-connection.js';

/** The transport of a message, as its calls see it. The calls of a batch share it. */
export interface CallContext {
  /** Absent over HTTP, where the server cannot push. */
  readonly connection?: RpcConnection;
  readonly origin: CallOrigin;
  /** Runs `next` once the response to this message has been handed to the transport. */
  readonly afterReply: (next: () => void) => void;
  /** Called with the number of calls in the message before the first of them starts. */
  readonly onCallCount?: (calls: number) => void;
  /** Called when the message is refused because its client has too many pending calls. */
  readonly onRefused?: () => void;
}

/** Calls one method by name; resolves with its result or throws. */
export type CallMethod = (
  method: string,
  params: unknown,
  context: CallContext,
) => Promise<unknown>;
