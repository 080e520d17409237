import type { RawData, WebSocket } from 'ws';
import type { TurnShares } from '@forecourt/admission';
import type { CallMethod } from '../call-method.js';
import { ConnectionDropped } from '../connection-dropped.js';
import { handleMessage, type MessageOptions } from '../handle-message.js';
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
  /** Called before a connection is closed because it uses too much memory. */
  readonly onShed?: (connection: RpcConnection) => void;
  /**
   * Called when the peer has ended its half of the TCP connection without closing the WebSocket. Messages can
   * still be sent to it: a proxy that shuts down does this to have its client notified.
   */
  readonly onHalfClosed?: (connection: RpcConnection) => void;
}

const UNSUPPORTED_DATA = 1003;

interface QueuedMessage {
  readonly text: string;
  readonly release: () => void;
}

/** Handles the messages of one socket, and reads no faster than the client reads the responses. */
export function handleSocket(
  webSocket: WebSocket,
  connection: RpcConnection,
  call: CallMethod,
  options: RpcSocketOptions,
  turns: TurnShares<unknown>,
): void {
  const { turnTaker } = connection;
  let pendingCalls = 0;
  /** Messages that arrived together with others before reading was paused. */
  const queue: QueuedMessage[] = [];
  let isWaitingForTurn = false;
  const isBusy = () =>
    pendingCalls >= options.maxPendingCalls ||
    connection.bufferedBytes + connection.responses.bytes > options.maxBufferedBytes;

  const respond = async (text: string, onCallCount: (calls: number) => void) => {
    const after: (() => void)[] = [];
    const afterReply = (next: () => void) => void after.push(next);
    const context = { connection, origin: connection, afterReply, onCallCount };
    try {
      const response = await handleMessage(text, call, context, options);
      if (response !== null) connection.send(response);
      for (const next of after) next();
    } catch (error) {
      if (!(error instanceof ConnectionDropped)) throw error;
      // A connection that is being closed already closes with its own code.
      if (!connection.signal.aborted) connection.terminate();
    }
  };

  const processMessage = async ({ text, release }: QueuedMessage) => {
    let calls = 1;
    pendingCalls += calls;
    await respond(text, (count) => {
      pendingCalls += count - calls;
      calls = count;
    });
    pendingCalls -= calls;
    release();
    proceed();
  };

  const startNext = () => {
    const message = queue.shift()!;
    const startedAt = performance.now();
    void processMessage(message);
    turns.spend(turnTaker, performance.now() - startedAt);
  };

  const waitForTurn = () => {
    if (isWaitingForTurn) return;
    isWaitingForTurn = true;
    turns.wait(turnTaker, () => {
      isWaitingForTurn = false;
      proceed();
    });
  };

  const proceed = () => {
    if (connection.signal.aborted) return;
    while (queue.length > 0 && turns.hasShare(turnTaker) && !isBusy()) startNext();
    if (queue.length === 0 && !isBusy()) {
      if (webSocket.isPaused) webSocket.resume();
      return;
    }
    webSocket.pause();
    if (!isBusy()) waitForTurn();
    // A call that ends calls `proceed` itself; without one, only the client's reading can end the wait.
    else if (pendingCalls === 0) void connection.drained().then(proceed);
  };

  webSocket.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) {
      return connection.close(UNSUPPORTED_DATA, 'JSON-RPC messages must be text, not binary');
    }
    // `ws` delivers a whole message as one buffer.
    const text = (data as Buffer).toString();
    queue.push({ text, release: connection.memory.add(text.length) });
    proceed();
  });
  // After an error `ws` closes the socket with the matching code.
  webSocket.on('error', () => undefined);
}
