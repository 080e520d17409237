import type { RawData, WebSocket } from 'ws';
import { answerJsonRpc, type CallMethod, ConnectionDropped } from '../answer-json-rpc.js';
import type { RpcConnection } from './rpc-connection.js';
import type { RpcSocketOptions } from './serve-rpc-sockets.js';

const UNSUPPORTED_DATA = 1003;

/** Answers the messages of one socket, and reads no faster than the client takes the answers. */
export function attendSocket(
  webSocket: WebSocket,
  connection: RpcConnection,
  call: CallMethod,
  options: RpcSocketOptions,
): void {
  let running = 0;
  /** What had arrived with others before reading stopped. */
  const waiting: string[] = [];
  const isBusy = () =>
    running >= options.maxPendingCalls || connection.bufferedBytes > options.maxBufferedBytes;

  const answer = async (text: string) => {
    const after: (() => void)[] = [];
    const context = { connection, afterReply: (next: () => void) => void after.push(next) };
    try {
      const reply = await answerJsonRpc(text, call, context, options);
      if (reply !== null) connection.send(reply);
      for (const next of after) next();
    } catch (error) {
      if (!(error instanceof ConnectionDropped)) throw error;
      connection.terminate();
    }
  };

  const work = async (text: string) => {
    running += 1;
    await answer(text);
    running -= 1;
    goOn();
  };

  const goOn = () => {
    if (connection.closed.aborted) return;
    while (waiting.length > 0 && !isBusy()) void work(waiting.shift()!);
    if (waiting.length === 0 && !isBusy()) {
      if (webSocket.isPaused) webSocket.resume();
      return;
    }
    webSocket.pause();
    // Whatever runs goes on by itself; a client that does not read is waited for.
    if (running === 0) void connection.drained().then(goOn);
  };

  webSocket.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) return connection.close(UNSUPPORTED_DATA, 'JSON-RPC is text, not binary');
    // Whole messages come as one buffer.
    waiting.push((data as Buffer).toString());
    goOn();
  });
  // The socket closes itself after an error, with the code that belongs to it.
  webSocket.on('error', () => undefined);
}
