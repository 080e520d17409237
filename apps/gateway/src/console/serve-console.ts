import { fileURLToPath } from 'node:url';
import { ForecourtError } from '@forecourt/contracts';
import { PUBLIC_ROUTE } from '@forecourt/runtime/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from '../http/answer-error.js';
import { type ConsoleFile, ConsoleFiles } from './console-files.js';

/** The build of apps/console, which the gateway serves and never imports. */
export const CONSOLE_FOLDER = fileURLToPath(new URL('../../../console/dist', import.meta.url));

const PATH = '/console';
const NOT_BUILT = 'The console is not built: run npm run build\n';
const YEAR_SECS = 31_536_000;

/**
 * Everything comes from this gateway, and no text that a page shows can become a script or a style: the token
 * in the page's storage is worth as much as the caller's rights.
 */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Serves the console at `/console`. Call it before the application's routes are registered. `publicUrl`:
 * `PUBLIC_URL`, whose path a proxy in front takes away.
 */
export function serveConsole(server: FastifyInstance, folder: string, publicUrl: string): void {
  const prefix = (URL.parse(publicUrl)?.pathname ?? '').replace(/\/$/, '');
  const files = new ConsoleFiles(folder, `${prefix}${PATH}`);
  const config: object = PUBLIC_ROUTE;
  const serve = (path: string) => (request: FastifyRequest, reply: FastifyReply) => {
    void reply.headers(HEADERS);
    if (!files.areBuilt) return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
    const file = files.find(path) ?? files.pageFor(path);
    if (file === null) {
      return answerError(
        reply,
        new ForecourtError('NOT_FOUND', `GET ${PATH}/${path.slice(0, 100)}`),
      );
    }
    return sendFile(request, reply, file);
  };
  server.get(PATH, { config }, async (request, reply) => serve('')(request, reply));
  server.get<{ Params: { '*': string } }>(`${PATH}/*`, { config }, async (request, reply) =>
    serve(request.params['*'])(request, reply),
  );
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const { type, etag, isHashed, content, compressed } = file;
  void reply.header('etag', etag).header('vary', 'accept-encoding');
  void reply.header(
    'cache-control',
    isHashed ? `public, max-age=${YEAR_SECS}, immutable` : 'no-cache',
  );
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const takesGzip = /\bgzip\b(?!;q=0(?:\.0+)?(?:,|$))/.test(
    request.headers['accept-encoding'] ?? '',
  );
  if (takesGzip) void reply.header('content-encoding', 'gzip');
  return reply.type(type).send(takesGzip ? compressed : content);
}
