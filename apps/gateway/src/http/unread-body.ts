import type { Server } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/**
 * The content types that curl, and `fetch` with text, send by default; Nest and Fastify have parsers for
 * them.
 */
const USUAL_MISTAKES = ['application/x-www-form-urlencoded', 'text/plain'];

/** A body that is not read, because its content type is not JSON. */
export class UnreadBody {
  constructor(readonly contentType: string | undefined) {}
}

/**
 * Passes every request on to its route, which knows whether it needs a body: a body of another content type
 * becomes an `UnreadBody`, so that a route that needs JSON can name the mistake.
 */
export function leaveBodiesToRoutes(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', ({ headers }, _reply, done) => {
    const isAbsent = (headers['content-length'] ?? '0') === '0';
    // A parser of this type would look for a body.
    if (isAbsent && headers['transfer-encoding'] === undefined) delete headers['content-type'];
    done();
  });
  const leaveUnread = (request: FastifyRequest, done: (error: null, body: UnreadBody) => void) =>
    done(null, new UnreadBody(request.headers['content-type']));
  app.useBodyParser<Server>(USUAL_MISTAKES, {}, (request, _body, done) =>
    leaveUnread(request, done),
  );
  server.addContentTypeParser('*', (request, _body, done) => leaveUnread(request, done));
}
