import { DEFAULT_RETRY_AFTER_SECS, type ForecourtError } from '@forecourt/contracts';
import type { FastifyReply } from 'fastify';

/** Answers a request with an error, before or after a handler has run. */
export function answerError(reply: FastifyReply, error: ForecourtError): FastifyReply {
  if (error.status === 503 || error.status === 429) {
    void reply.header('retry-after', error.retryAfterSecs ?? DEFAULT_RETRY_AFTER_SECS);
  }
  return reply.code(error.status).send({ error: error.message });
}
