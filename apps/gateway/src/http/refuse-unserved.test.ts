import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { refuseEncodedBodies } from './refuse-unserved.js';

let server: FastifyInstance;
beforeEach(() => {
  server = fastify();
  refuseEncodedBodies(server, '/rpc');
  for (const path of ['/', '/rpc']) server.post(path, (request) => request.body);
});
afterEach(() => server.close());

function post(body: string | Buffer, encoding: string) {
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  return server.inject({ method: 'POST', url: '/', body, headers });
}

describe('a body with Content-Encoding', () => {
  it.each(['gzip', 'br, gzip', 'GZIP'])('is refused with 415: %s', async (encoding) => {
    const { statusCode, headers, body } = await post(gzipSync('{"gas_budget":5}'), encoding);
    expect([statusCode, headers['accept-encoding']]).toEqual([415, 'identity']);
    const error = `The body must be sent without Content-Encoding; got "${encoding}"`;
    expect(JSON.parse(body)).toEqual({ error });
  });

  it('is refused at /rpc with an error of JSON-RPC', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const refused = await server.inject({ method: 'POST', url: '/rpc', body: '{}', headers });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      415,
      { jsonrpc: '2.0', id: null, error: { code: -32600 } },
    ]);
  });

  it.each(['identity', 'Identity', ''])('is read where that means none: %j', async (encoding) => {
    expect((await post('{"gas_budget":5}', encoding)).json()).toEqual({ gas_budget: 5 });
  });
});
