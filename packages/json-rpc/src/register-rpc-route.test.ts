import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
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
});
