import { DEFAULT_RETRY_AFTER_SECS, ForecourtError } from '@forecourt/contracts';
import type { FastifyReply } from 'fastify';
import { PerRequest } from './per-request.js';

/** The header with an error's code, for programs; the text in the body may change. */
export const ERROR_CODE_HEADER = 'error-code';

/** The header with the address whose signature a transaction needs. */
const EXPECTED_SIGNER_HEADER = 'expected-signer';

const answered = new PerRequest<FastifyReply, ForecourtError>();

/** The error that a request is answered with; null: none. */
export function errorAnsweredWith(reply: FastifyReply): ForecourtError | null {
  return answered.get(reply) ?? null;
}

/** Answers a request with an error, whether or not a handler has run. */
export function answerError(reply: FastifyReply, error: ForecourtError): FastifyReply {
  answered.set(reply, error);
  if ((error.status === 503 || error.status === 429) && error.retryAfterSecs !== null) {
    void reply.header('retry-after', error.retryAfterSecs ?? DEFAULT_RETRY_AFTER_SECS);
  }
  void reply.header(ERROR_CODE_HEADER, error.code);
  // The body's text is fixed (specification, "Errors").
  if (error.code === 'INVALID_SIGNATURE') void reply.header(EXPECTED_SIGNER_HEADER, error.detail);
  return reply.code(error.status).send({ error: error.message });
}
