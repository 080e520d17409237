import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { type WebSocket, WebSocketServer } from 'ws';
import { createLegacySource } from './legacy-source.js';
import { NodePause } from './node-pause.js';
import { SERVICE_SESSION } from './node-calls.js';
import { nodeOptions, StandInServer } from './stand-in-server.test-support.js';

describe('createLegacySource', () => {
  it.each([null, 7, {}, { data: [] }, { data: null, nextCursor: null }])(
    'fails if a query returns %j instead of a page, so that the service calls another node',
    async (result) => {
      const server = await StandInServer.start(() => ({ result }));
      const source = createLegacySource({ ...nodeOptions(server), methodPrefix: 'ledger' });
      await expect(source.newest()).rejects.toMatchObject({
        name: 'UpstreamFailed',
        message: 'ledger_getEvents: the result is not a page of events',
      });
      await server.stop();
    },
  );
});

describe('the pages of createLegacySource', () => {
  const record = (eventSeq: number) => ({
    timestamp: 1,
    txDigest: 'x',
    id: { txSeq: 7, eventSeq },
    event: { checkpoint: 7 },
  });

  it.each([
    [true, 0, 7 * 2 ** 14 - 1],
    [false, 0, 7 * 2 ** 14 + 1],
    [false, 16_381, 7 * 2 ** 14 + 16_382],
    [false, 16_382, { txSeq: 7, eventSeq: 16_383 }],
    [true, 20_000, { txSeq: 7, eventSeq: 19_999 }],
  ])(
    'continue at an integer or, beyond its room, at an id, whatever the node’s cursor (descending: %p, eventSeq: %p)',
    async (descending, eventSeq, next) => {
      const server = await StandInServer.start(() => ({
        result: { data: [record(eventSeq)], nextCursor: { its: 'own' } },
      }));
      const source = createLegacySource({ ...nodeOptions(server), methodPrefix: 'ledger' });
      const request = { criterion: { key: 'All' }, limit: 1, descending } as const;
      const { nextCursor } = await source.getEvents({ ...request, cursor: null }, SERVICE_SESSION);
      await source.getEvents({ ...request, cursor: nextCursor }, SERVICE_SESSION);
      expect(server.calls.at(-1)?.params[1]).toEqual(next);
      await server.stop();
    },
  );
});

describe('the live stream of createLegacySource', () => {
  it('closes its subscription if a query fails', async () => {
    const server = createServer((_request, response) => response.end('no reply')).listen(0);
    const sockets = new WebSocketServer({ server });
    const closed = new Promise<void>((resolve) => {
      sockets.on('connection', (socket: WebSocket) => {
        socket.on('message', () => socket.send('{"jsonrpc":"2.0","id":1,"result":1}'));
        socket.on('close', resolve);
      });
    });
    const { port } = server.address() as AddressInfo;
    const source = createLegacySource({
      url: `http://127.0.0.1:${port}`,
      headers: {},
      timeoutMs: 5_000,
      pause: new NodePause(),
      onFault: () => undefined,
      methodPrefix: 'ledger',
    });
    const events = source.follow({ txSeq: 0, eventSeq: 0 }, new AbortController().signal);
    await expect(events[Symbol.asyncIterator]().next()).rejects.toThrow('no content type');
    await closed;
    sockets.close();
    server.close();
    await once(server, 'close');
  });
});
