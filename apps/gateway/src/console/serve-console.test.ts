import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '@forecourt/testing/jest';
import fastify, { type FastifyInstance } from 'fastify';
import { serveConsole } from './serve-console.js';

const folder = new TemporaryFolder();
let server: FastifyInstance;

beforeAll(async () => {
  const dist = folder.pathOf('dist');
  mkdirSync(join(dist, 'assets'), { recursive: true });
  writeFileSync(join(dist, 'index.html'), '<!doctype html>page');
  writeFileSync(join(dist, 'assets', 'main-abc123.js'), 'script();');
  writeFileSync(join(dist, 'assets', 'notes.txt'), 'no page needs this');
  folder.write('secret.js', 'hidden content');
  server = await start(dist);
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

async function start(dist: string, publicUrl = '/'): Promise<FastifyInstance> {
  const started = fastify();
  serveConsole(started, dist, publicUrl);
  await started.listen({ port: 0, host: '127.0.0.1' });
  return started;
}

/** Sends the path exactly as it is written, which `fetch` would not. */
function get(path: string, { method = 'GET', headers = {}, app = server } = {}) {
  const { port } = app.server.address() as AddressInfo;
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const body = Buffer.concat(chunks);
          resolve({ status: response.statusCode!, headers: response.headers, body });
        });
      });
      sent.on('error', reject).end();
    },
  );
}

describe('the console', () => {
  it.each([
    '/console',
    '/console/',
    '/console/index.html',
    '/console/sponsorships/42?q=x',
    '/console/a.b',
  ])('answers %s with the page, which a browser must ask for again', async (path) => {
    const { status, headers, body } = await get(path);
    expect([status, String(body)]).toEqual([200, '<!doctype html>page']);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    const again = await get(path, { headers: { 'if-none-match': String(headers['etag']) } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it.each([
    ['/', '/console'],
    ['https://gas.example.com', '/console'],
    ['https://example.com/gas/station', '/gas/station/console'],
  ])('with PUBLIC_URL %s, refers to its files below %s', async (publicUrl, path) => {
    const dist = folder.pathOf(`dist-${path.replaceAll('/', '-')}`);
    mkdirSync(dist, { recursive: true });
    const page = (base: string) =>
      `<link href="${base}/icon.svg"><script src="${base}/assets/a.js">`;
    writeFileSync(join(dist, 'index.html'), page('.'));
    const behind = await start(dist, publicUrl);
    try {
      expect(String((await get('/console/sponsorships/42', { app: behind })).body)).toBe(
        page(path),
      );
    } finally {
      await behind.close();
    }
  });

  it('has a policy that permits its own files only, and nothing inline', async () => {
    const policy = String((await get('/console')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
  });

  it('lets browsers keep files with a hash in their names', async () => {
    const { headers, body } = await get('/console/assets/main-abc123.js');
    expect(String(body)).toBe('script();');
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it('compresses for a client that accepts it', async () => {
    const path = '/console/assets/main-abc123.js';
    const packed = await get(path, { headers: { 'accept-encoding': 'br, gzip' } });
    expect([packed.headers['content-encoding'], packed.headers['vary']]).toEqual([
      'gzip',
      'accept-encoding',
    ]);
    expect(String(gunzipSync(packed.body))).toBe('script();');
    const refused = await get(path, { headers: { 'accept-encoding': 'gzip;q=0' } });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  it('answers HEAD with the headers of GET', async () => {
    const { status, headers, body } = await get('/console', { method: 'HEAD' });
    expect([status, headers['content-type'], body.length]).toEqual([
      200,
      'text/html; charset=utf-8',
      0,
    ]);
  });

  it.each([
    '/console/assets/absent-abc123.js',
    '/console/assets/notes.txt',
    '/console/assets/../../secret.js',
    '/console/assets/..%2f..%2fsecret.js',
    '/console/assets/%2e%2e/%2e%2e/secret.js',
    '/console/assets/..%5c..%5csecret.js',
    '/console/assets//etc/passwd',
    '/console/assets/%00',
  ])('serves nothing at %s', async (path) => {
    const { status, body } = await get(path);
    expect(String(body)).not.toContain('hidden content');
    expect(status).toBe(404);
  });

  it.each([
    '/console/../secret.js',
    '/console/%2e%2e/secret.js',
    '/console/..%2fsecret.js',
    '/console//secret.js',
  ])('leaves its folder for no path: %s', async (path) => {
    const { body } = await get(path);
    expect(String(body)).not.toContain('hidden content');
  });

  it.each(['/consoles', '/console.js', '/consol'])(
    'answers nothing outside of its path: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('says so if it is not built', async () => {
    const unbuilt = await start(folder.pathOf('absent'));
    try {
      const { status, headers, body } = await get('/console/sponsorships', { app: unbuilt });
      expect([status, String(body)]).toEqual([
        404,
        'The console is not built: run npm run build\n',
      ]);
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    } finally {
      await unbuilt.close();
    }
  });
});
