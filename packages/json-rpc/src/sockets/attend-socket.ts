import type { RawData, WebSocket } from 'ws';
import { answerJsonRpc, type CallMethod, ConnectionDropped } from '../answer-json-rpc.js';
import type { RpcConnection } from './rpc-connection.js';
import type { RpcSocketOptions } from './serve-rpc-sockets.js';

const UNSUPPORTED_DATA = 1003;
/**
 * Bytes of one connection's messages that are taken up in one turn of the event loop. Node reads up to 2 MB from a
 * socket at once; whoever sends that much must not hold up everybody else while it is parsed.
 */
const BYTES_PER_TURN = 32_768;

interface WaitingMessage {
  readonly text: string;
  readonly release: () => void;
}

/** Answers the messages of one socket, and reads no faster than the client takes the answers. */
export function attendSocket(
  webSocket: WebSocket,
  connection: RpcConnection,
  call: CallMethod,
  options: RpcSocketOptions,
): void {
  /** Calls of the messages that are worked on. */
  let pending = 0;
  /** What had arrived with others before reading stopped. */
  const waiting: WaitingMessage[] = [];
  let bytesThisTurn = 0;
  const answering = { ...options, pendingCalls: options.clients?.pendingCalls };
  const isBusy = () =>
    pending >= options.maxPendingCalls ||
    connection.bufferedBytes + connection.answers.bytes > options.maxBufferedBytes;

  const answer = async (text: string, onUnfolded: (calls: number) => void) => {
    const after: (() => void)[] = [];
    const afterReply = (next: () => void) => void after.push(next);
    const context = { connection, origin: connection, afterReply, onUnfolded };
    try {
      const reply = await answerJsonRpc(text, call, context, answering);
      if (reply !== null) connection.send(reply);
      for (const next of after) next();
    } catch (error) {
      if (!(error instanceof ConnectionDropped)) throw error;
      // One that is being ended in good order is left to that.
      if (!connection.signal.aborted) connection.terminate();
    }
  };

  const work = async ({ text, release }: WaitingMessage) => {
    let calls = 1;
    pending += calls;
    await answer(text, (unfolded) => {
      pending += unfolded - calls;
      calls = unfolded;
    });
    pending -= calls;
    release();
    goOn();
  };

  const startNext = () => {
    const message = waiting.shift()!;
    if (bytesThisTurn === 0) {
      setImmediate(() => {
        bytesThisTurn = 0;
        if (waiting.length > 0) goOn();
      });
    }
    bytesThisTurn += message.text.length;
    void work(message);
  };

  const goOn = () => {
    if (connection.signal.aborted) return;
    while (waiting.length > 0 && bytesThisTurn < BYTES_PER_TURN && !isBusy()) startNext();
    if (waiting.length === 0 && !isBusy()) {
      if (webSocket.isPaused) webSocket.resume();
      return;
    }
    webSocket.pause();
    // Whatever runs goes on by itself, and so does the next turn; a client that does not read is waited for.
    if (pending === 0 && isBusy()) void connection.drained().then(goOn);
  };

  webSocket.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) return connection.close(UNSUPPORTED_DATA, 'JSON-RPC is text, not binary');
    // Whole messages come as one buffer.
    const text = (data as Buffer).toString();
    waiting.push({ text, release: connection.held.take(text.length) });
    goOn();
  });
  // The socket closes itself after an error, with the code that belongs to it.
  webSocket.on('error', () => undefined);
}
