import { ForecourtError } from '@forecourt/contracts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PUBLIC_ROUTE } from '@forecourt/runtime/service';
import type { RouteDeclaration } from '../authorization/route-declaration.js';
import { answerError } from '../http/answer-error.js';
import { type DescribedService, openapiDocument } from './openapi-document.js';
import { serveFromMemory } from './serve-from-memory.js';

const PAGE = 'docs';
const DOCUMENT = '/openapi.json';
const OWN_ROUTE = new RegExp(`^(?:${DOCUMENT}|/${PAGE}(?:/.*)?)$`);
/** The files that the page loads, besides its own script. */
const ASSETS: ReadonlySet<string> = new Set([
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
]);
/** Everything that is served, the page's script and the script with the document included. */
const CONTENTS: ReadonlySet<string> = new Set([
  DOCUMENT,
  `/${PAGE}`,
  `/${PAGE}/`,
  ...['swagger-ui-init.js', ...ASSETS].map((file) => `/${PAGE}/${file}`),
]);
/** The page loads only its own files, and may call only this gateway. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** `/openapi.json`, and a page to read it at `/docs`. To be called before the application's routes are registered. */
export function serveOpenapi(app: NestFastifyApplication, described: DescribedService): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onSend', async ({ url }, reply) => {
    if (url.startsWith(`/${PAGE}`)) void reply.header('content-security-policy', POLICY);
  });
  serveFromMemory(server, CONTENTS);
  // The file server looks up every path in the file system, and odd paths make it fail in many ways.
  server.addHook('onRequest', ({ method, url, routeOptions }, reply, done) => {
    if (routeOptions.url !== `/${PAGE}/*` || ASSETS.has(fileOf(url))) return done();
    void answerError(reply, new ForecourtError('NOT_FOUND', `${method} ${url.slice(0, 100)}`));
  });
  const routes = new Map<string, RouteDeclaration>();
  server.addHook('onRoute', ({ method, url, config }) => {
    if (config) routes.set(`${String(method).toLowerCase()} ${url}`, config);
  });
  let document: OpenAPIObject | undefined;
  const readDocument = () => (document ??= openapiDocument(app, described, routes));
  // Only now is every route known; and a mistake in the document must keep the service from starting.
  server.addHook('onReady', async () => void readDocument());
  SwaggerModule.setup(PAGE, app, readDocument, {
    jsonDocumentUrl: DOCUMENT,
    raw: ['json'],
    customSiteTitle: 'Forecourt',
    swaggerOptions: { validatorUrl: null, persistAuthorization: false },
  });
}

/** Declares the routes that Swagger registers by itself. To be called before `requireDeclaredRoutes`. */
export function declareOpenapiRoutes(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRoute', (route) => {
      if (OWN_ROUTE.test(route.url)) route.config = { ...PUBLIC_ROUTE, ...route.config };
    });
}

function fileOf(url: string): string {
  return url.replace(/\?.*$/s, '').slice(`/${PAGE}/`.length);
}
