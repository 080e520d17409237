import { ForecourtError } from '@forecourt/contracts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { answerError } from '../http/answer-error.js';
import { openapiDocument } from './openapi-document.js';

const PAGE = 'docs';
/** The files that the page loads, besides its own script. */
const ASSETS: ReadonlySet<string> = new Set([
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
]);
/** The page is made of its own files only, and may call nobody but this gateway. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** `/openapi.json`, and a page to read it at `/docs`. */
export function serveOpenapi(app: NestFastifyApplication, version: string): void {
  // The module's own type knows version 3.0 only; the document is 3.1 and passed on as it is.
  const document = openapiDocument(version) as unknown as OpenAPIObject;
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onSend', async ({ url }, reply) => {
    if (url.startsWith(`/${PAGE}`)) void reply.header('content-security-policy', POLICY);
  });
  // What serves the files looks for every path in the file system, and fails in as many ways as there are odd paths.
  server.addHook('onRequest', ({ method, url, routeOptions }, reply, done) => {
    if (routeOptions.url !== `/${PAGE}/*` || ASSETS.has(fileOf(url))) return done();
    void answerError(reply, new ForecourtError('NOT_FOUND', `${method} ${url.slice(0, 100)}`));
  });
  SwaggerModule.setup(PAGE, app, document, {
    jsonDocumentUrl: '/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Forecourt',
    swaggerOptions: { validatorUrl: null, persistAuthorization: false },
  });
}

function fileOf(url: string): string {
  return url.replace(/\?.*$/s, '').slice(`/${PAGE}/`.length);
}
