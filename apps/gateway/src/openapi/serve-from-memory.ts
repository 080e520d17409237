import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** A response that is the same for every client. */
interface Content {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

/** Marks the requests by which this process reads its contents itself. */
const READING_HEADER = 'x-forecourt-reading';

/**
 * Serves the routes at `paths`, whose responses are the same for every client, from memory: each is made once, when it is
 * asked for first. To be called before the routes are registered.
 */
export function serveFromMemory(server: FastifyInstance, paths: ReadonlySet<string>): void {
  const secret = randomUUID();
  const contents = new Map<string, Promise<Content | null>>();
  const readOnce = (path: string) => {
    const known = contents.get(path);
    if (known !== undefined) return known;
    const reading = read(server, path, secret);
    contents.set(path, reading);
    // Not kept: the next request tries again.
    reading.then((content) => content ?? contents.delete(path)).catch(() => contents.delete(path));
    return reading;
  };
  server.addHook('onRequest', async ({ method, url, headers }, reply) => {
    const path = url.replace(/\?.*$/s, '');
    if ((method !== 'GET' && method !== 'HEAD') || !paths.has(path)) return;
    if (headers[READING_HEADER] === secret) return;
    const content = await readOnce(path);
    if (content !== null) return send(reply, content, headers['if-none-match']);
  });
}

async function read(
  server: FastifyInstance,
  path: string,
  secret: string,
): Promise<Content | null> {
  const headers = { host: 'localhost', [READING_HEADER]: secret };
  const answer = await server.inject({ method: 'GET', url: path, headers });
  if (answer.statusCode !== 200) return null;
  const body = answer.rawPayload;
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { type: String(answer.headers['content-type']), body, etag };
}

function send(reply: FastifyReply, content: Content, known: string | undefined): FastifyReply {
  void reply.header('etag', content.etag).header('cache-control', 'no-cache');
  if (known === content.etag) return reply.code(304).send();
  return reply.header('content-type', content.type).send(content.body);
}
