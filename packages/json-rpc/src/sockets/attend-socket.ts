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
  let pending = 0;
  const isBusy = () =>
    pending >= options.maxPendingCalls || connection.bufferedBytes > options.maxBufferedBytes;

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

  const take = async (text: string) => {
    pending += 1;
    if (isBusy()) webSocket.pause();
    await answer(text);
    pending -= 1;
    if (!webSocket.isPaused) return;
    await connection.drained();
    if (!isBusy()) webSocket.resume();
  };

  webSocket.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) return connection.close(UNSUPPORTED_DATA, 'JSON-RPC is text, not binary');
    // Whole messages come as one buffer.
    void take((data as Buffer).toString());
  });
  // The socket closes itself after an error, with the code that belongs to it.
  webSocket.on('error', () => undefined);
}
