import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { HttpReply } from './http-reply.js';
import { registerRpcRoute } from './register-rpc-route.js';

describe('registerRpcRoute', () => {
  it.each([
    [{ 'content-type': ';' }, 415, -32600],
    [{ 'content-type': 'application/json', 'content-length': '99' }, 400, -32600],
    [{ 'content-type': 'application/json', 'content-length': '2000' }, 413, -32701],
  ])(
    'responds to a request that cannot be read (%p) with status %i and JSON-RPC error %i',
    async (headers, status, code) => {
      const server = fastify();
      registerRpcRoute(server, async () => 1, { path: '/rpc', maxBatch: 1, bodyLimitBytes: 1_000 });
      const answer = await server.inject({ method: 'POST', url: '/rpc', headers, payload: '{}' });
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
      await server.close();
    },
  );

  it('sends the HttpReply that a call throws', async () => {
    const server = fastify();
    const call = () => Promise.reject(new HttpReply(504, 'text/html', '<h1>504</h1>'));
    registerRpcRoute(server, call, { path: '/rpc', maxBatch: 1, bodyLimitBytes: 1_000 });
    const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'm' });
    const headers = { 'content-type': 'application/json' };
    const answer = await server.inject({ method: 'POST', url: '/rpc', headers, payload });
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
      504,
      'text/html',
      '<h1>504</h1>',
    ]);
    await server.close();
  });
});
