import { describe, expect, it } from '@jest/globals';
import { ReplicaIdentity } from '@forecourt/runtime/service';
import fastify from 'fastify';
import type { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { prefersBareText, ServiceInfoController } from './service-info.controller.js';

describe('an Accept header', () => {
  it.each(['text/plain', 'TEXT/PLAIN; q=0.9', 'text/html, text/plain, */*', 'text/*'])(
    '%p requests bare text',
    (accept) => expect(prefersBareText(accept)).toBe(true),
  );

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/plain',
    '*/*, text/plain',
    'text/html',
  ])('%p does not', (accept) => expect(prefersBareText(accept)).toBe(false));
});

describe('the health and the version', () => {
  const controller = new ServiceInfoController(
    new ReplicaIdentity('gateway', '1.0.0-0123456789ab'),
    {} as CoinPoolClient,
  );

  it.each(['application/json', 'text/plain'])(
    'tell caches that they depend on Accept, for %s too',
    async (accept) => {
      const server = fastify();
      server.addHook('onRequest', (_request, reply, done) => {
        void reply.header('vary', 'Origin');
        done();
      });
      server.get('/', (request, reply) => controller.health(request, reply));
      server.get('/version', (request, reply) => controller.version(request, reply));
      for (const url of ['/', '/version']) {
        const { headers } = await server.inject({ url, headers: { accept } });
        expect(headers['content-type']).toContain(accept);
        expect(headers['vary']).toBe('Origin, Accept');
      }
      await server.close();
    },
  );
});
