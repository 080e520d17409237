import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type WebSocket, WebSocketServer } from 'ws';
import { subscribeAtNode } from './subscribe-at-node.js';

let server: WebSocketServer;
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
afterEach(() => {
  for (const socket of server.clients) socket.terminate();
  server.close();
});

function subscribe(
  signal = new AbortController().signal,
  { port } = server.address() as AddressInfo,
) {
  return subscribeAtNode({
    url: `http://127.0.0.1:${port}`,
    headers: { 'x-api-key': 'k' },
    method: 'iotax_subscribeEvent',
    params: [{ All: [] }],
    timeoutMs: 5_000,
    signal,
    onResult: () => undefined,
  });
}

/** Sends these texts after the subscription has arrived. */
function respond(...texts: string[]): void {
  server.on('connection', (socket: WebSocket) => {
    socket.on('message', () => texts.forEach((text) => socket.send(text)));
  });
}

const CONFIRMED = '{"jsonrpc":"2.0","id":1,"result":7}';

describe('subscribeAtNode', () => {
  it('sends the headers that the provider requires with its handshake', async () => {
    respond(CONFIRMED);
    const connected = once(server, 'connection') as Promise<[WebSocket, IncomingMessage]>;
    await subscribe();
    const [, { headers }] = await connected;
    expect(headers['x-api-key']).toBe('k');
  });

  it('fails with UpstreamFailed if the node cannot be reached', async () => {
    const address = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(subscribe(undefined, address)).rejects.toMatchObject({
      name: 'UpstreamFailed',
      message: expect.stringMatching(/^iotax_subscribeEvent: .*ECONNREFUSED/),
    });
  });

  it('ends at once if its signal has aborted before', async () => {
    const { ended } = await subscribe(AbortSignal.abort());
    await expect(ended).resolves.toBeUndefined();
  });

  it.each(['NaN', '<html></html>', ''])(
    'ends with an error if %j arrives, which is not JSON',
    async (text) => {
      respond(CONFIRMED, text);
      const { ended } = await subscribe();
      await expect(ended).rejects.toThrow('iotax_subscribeEvent: a message is not JSON');
    },
  );
});
