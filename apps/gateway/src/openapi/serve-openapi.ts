import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { openapiDocument } from './openapi-document.js';

const PAGE = 'docs';
/** The page is made of its own files only, and may call nobody but this gateway. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** `/openapi.json`, and a page to read it at `/docs`. */
export function serveOpenapi(app: NestFastifyApplication, version: string): void {
  // The module's own type knows version 3.0 only; the document is 3.1 and passed on as it is.
  const document = openapiDocument(version) as unknown as OpenAPIObject;
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', async ({ url }, reply) => {
      if (url.startsWith(`/${PAGE}`)) void reply.header('content-security-policy', POLICY);
    });
  SwaggerModule.setup(PAGE, app, document, {
    jsonDocumentUrl: '/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Forecourt',
    swaggerOptions: { validatorUrl: null, persistAuthorization: false },
  });
}
