import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a receiver has read. */
interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (response: ServerResponse, request: ReceivedMessage) => void;

/** An HTTP server on loopback that records what it receives. */
export interface TestReceiver {
  readonly port: number;
  readonly received: readonly ReceivedMessage[];
  /** Changes what it answers; at first 200 with `ok`. */
  answerWith(answer: Answer): void;
  stop(): Promise<void>;
}

export async function startReceiver(
  tls?: { readonly key: string; readonly cert: string },
  address = '127.0.0.1',
): Promise<TestReceiver> {
  const received: ReceivedMessage[] = [];
  let answer: Answer = (response) => response.end('ok');
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, url: path = '' } = request;
    const message = { path, headers, body: await text(request) };
    received.push(message);
    answer(response, message);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    // A sender that gave up while its body was read.
    void handle(request, response).catch(() => undefined);
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    answerWith(changed) {
      answer = changed;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
