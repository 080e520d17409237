import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { postInTime } from './post-in-time.js';

let server: Server;

async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const call = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' };

describe('a call to a node', () => {
  it('posts the body with its headers and reads the JSON that comes back', async () => {
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const { method, headers } = request;
        response.end(JSON.stringify({ method, type: headers['content-type'], body }));
      });
    });
    const answer = await postInTime(5_000)(url, call);
    expect(answer).toMatchObject({ ok: true, status: 200 });
    expect(await answer.json()).toEqual({
      method: 'POST',
      type: 'application/json',
      body: '{"a":1}',
    });
  });

  it('shows a failure of HTTP, and goes on using the connection', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(503).end(' '.repeat(100_000)),
    );
    let connections = 0;
    server.on('connection', () => (connections += 1));
    const post = postInTime(5_000);
    for (let calls = 0; calls < 10; calls++) {
      const answer = await post(url, call);
      expect(answer).toMatchObject({ ok: false, status: 503, statusText: 'Service Unavailable' });
    }
    // The first may not be free again when the second call begins.
    expect(connections).toBeLessThan(3);
  });

  it('rejects when no answer comes in time, and when half of one does', async () => {
    const silent = await serve(() => undefined);
    await expect(postInTime(100)(silent, call)).rejects.toThrow('timeout');
    server.removeAllListeners('request');
    server.on('request', (_request, response) => response.write('{"result":'));
    const answer = await postInTime(300)(silent, call);
    await expect(answer.json()).rejects.toThrow('timeout');
  });

  it('rejects when nobody listens', async () => {
    const url = await serve(() => undefined);
    server.close();
    await once(server, 'close');
    await expect(postInTime(1_000)(url, call)).rejects.toThrow('ECONNREFUSED');
  });
});
