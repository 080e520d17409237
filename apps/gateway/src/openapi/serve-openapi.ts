import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PUBLIC_ROUTE } from '@forecourt/runtime/service';
import type { FastifyInstance } from 'fastify';
import type { RouteDeclaration } from '../access/route-declaration.js';
import { type DescribedService, openapiDocument } from './openapi-document.js';

const { resolve } = createRequire(import.meta.url);

const HTML = 'text/html; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';
/** The files of Swagger UI that the page loads, by content type. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': JAVASCRIPT,
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
};
const SCRIPT = `SwaggerUIBundle({ url: new URL('../openapi.json', document.currentScript.src).href, dom_id: '#page', validatorUrl: null });`;
const page = (folder: string) => `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Forecourt</title>
<link rel="stylesheet" href="${folder}swagger-ui.css">
<link rel="icon" href="${folder}favicon-16x16.png" sizes="16x16">
<link rel="icon" href="${folder}favicon-32x32.png" sizes="32x32">
<div id="page"></div>
<script src="${folder}swagger-ui-bundle.js"></script>
<script src="${folder}page.js"></script>
</html>
`;
/** The page loads only its own files, and may call only this gateway. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/**
 * Serves `/openapi.json`, and a page to read it at `/docs`. Call it before the application's routes are
 * registered.
 */
export function serveOpenapi(app: NestFastifyApplication, described: DescribedService): void {
  const server = app.getHttpAdapter().getInstance();
  const routes = new Map<string, RouteDeclaration>();
  server.addHook('onRoute', ({ method, url, config }) => {
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    if (config) routes.set(`${String(method).toLowerCase()} ${path}`, config);
  });
  let document = '';
  // Every route is registered by now, and a mistake in the document must stop the start of the service.
  server.addHook('onReady', async () => {
    document = JSON.stringify(openapiDocument(app, described, routes));
  });
  serve(server, '/openapi.json', 'application/json; charset=utf-8', async () => document);
  serve(server, '/docs', HTML, async () => page('docs/'));
  serve(server, '/docs/', HTML, async () => page(''));
  serve(server, '/docs/page.js', JAVASCRIPT, async () => SCRIPT);
  for (const [file, type] of Object.entries(ASSETS)) {
    serve(server, `/docs/${file}`, type, () => readFile(resolve(`swagger-ui-dist/${file}`)));
  }
}

/**
 * Serves a response that is the same for every client from memory: the first request for it reads and encodes
 * it.
 */
function serve(
  server: FastifyInstance,
  path: string,
  type: string,
  read: () => Promise<string | Buffer>,
): void {
  let content: { readonly body: Buffer; readonly etag: string } | undefined;
  const config: object = PUBLIC_ROUTE;
  server.get(path, { config }, async (request, reply) => {
    if (content === undefined) {
      const body = Buffer.from(await read());
      content = { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
    }
    const { body, etag } = content;
    void reply.header('etag', etag).header('cache-control', 'no-cache');
    void reply.header('content-security-policy', POLICY);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(type).send(body);
  });
}
