import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fastify from 'fastify';
import { allowOrigins } from './allow-origins.js';

const SHOP = 'https://shop.example';
const PREFLIGHT = { 'access-control-request-method': 'POST' };

/** A server with a route below `/v1` and one outside, which lets pages of these origins in. */
async function serve(origins: readonly string[]) {
  const server = fastify();
  allowOrigins(server, origins);
  for (const path of ['/v1/version', '/version', '/versions', '/docs'])
    server.get(path, () => 'served');
  await server.ready();
  return async (method: 'GET' | 'OPTIONS', url: string, headers: Record<string, string>) => {
    const answer = await server.inject({ method, url, headers });
    const allowed = Object.entries(answer.headers).filter(([name]) => /^access|^vary/.test(name));
    return { status: answer.statusCode, allowed: Object.fromEntries(allowed) };
  };
}

describe('origins whose pages may call the gateway', () => {
  it('allow a page to read an answer and its headers', async () => {
    const ask = await serve([SHOP]);
    expect(await ask('GET', '/v1/version', { origin: SHOP })).toEqual({
      status: 200,
      allowed: {
        vary: 'Origin',
        'access-control-allow-origin': SHOP,
        'access-control-expose-headers': 'error-code, retry-after, x-request-id, *',
      },
    });
  });

  it('get the answer to a preflight without the route', async () => {
    const ask = await serve([SHOP]);
    const answer = await ask('OPTIONS', '/v1/execute_tx', { origin: SHOP, ...PREFLIGHT });
    expect(answer).toMatchObject({
      status: 204,
      allowed: {
        'access-control-allow-origin': SHOP,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'authorization, *',
        'access-control-max-age': '86400',
      },
    });
  });

  it('exclude pages of another origin, and caches must keep the origins apart', async () => {
    const ask = await serve([SHOP]);
    const origin = 'https://shop.example.evil.example';
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { allowed } = await ask(method, '/v1/version', { origin, ...PREFLIGHT });
      expect(allowed).toEqual({ vary: 'Origin' });
    }
  });

  it('may call every path that the client package calls', async () => {
    const folder = join(import.meta.dirname, '../../../../packages/client/src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => /(?<!\.test|\.test-support)\.ts$/.test(file));
    const paths = sources.flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      // Texts with an absolute path, also after an address, but no imports and no comments.
      const found = text.matchAll(/(?<!\/\*\*.*|^ *\*.*)['"`}](\/[a-z][\w/]*)/gm);
      return [...found].map(([, path]) => path!);
    });
    const called = [...new Set(paths)].sort();
    expect(called.length).toBeGreaterThan(8);
    expect(called).toEqual(expect.arrayContaining(['/rpc', '/v1/execute_tx', '/version']));
    const ask = await serve([SHOP]);
    for (const path of called.filter((one) => one !== '/rpc')) {
      for (const url of [path, `${path}?from=1`]) {
        const answer = await ask('OPTIONS', url, { origin: SHOP, ...PREFLIGHT });
        expect([url, answer.status]).toEqual([url, 204]);
      }
    }
  });

  it('reach the route with OPTIONS that is not a preflight', async () => {
    const ask = await serve([SHOP]);
    expect((await ask('OPTIONS', '/v1/version', { origin: SHOP })).status).toBe(404);
  });

  it('include every origin, by name, for an asterisk', async () => {
    const ask = await serve(['*']);
    const { allowed } = await ask('GET', '/v1/version', { origin: 'https://any.example' });
    expect(allowed).toMatchObject({ 'access-control-allow-origin': 'https://any.example' });
  });

  it.each([
    ['a request that names no origin', [SHOP], '/v1/version', {}],
    ['a path outside of /v1', [SHOP], '/docs', { origin: SHOP }],
    ['a path that begins with another one', [SHOP], '/versions', { origin: SHOP }],
    ['any request where no origin is configured', [], '/v1/version', { origin: SHOP }],
  ])('%s gets no such header', async (_what, origins, path, headers) => {
    const ask = await serve(origins);
    expect(await ask('GET', path, headers)).toEqual({ status: 200, allowed: {} });
  });
});
