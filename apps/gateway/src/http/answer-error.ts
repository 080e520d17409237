import { Injectable } from '@nestjs/common';
import { DEFAULT_RETRY_AFTER_SECS, ForecourtError } from '@forecourt/contracts';
import { ServiceState } from '@forecourt/runtime/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Until then handlers may answer themselves; their own waits may hang. */
const GRACE_MS = 1_000;

/** The header with an error's code, for programs; the text in the body may change. */
export const ERROR_CODE_HEADER = 'error-code';

/** The header with the address whose signature a transaction needs. */
const EXPECTED_SIGNER_HEADER = 'expected-signer';

const answered = new WeakMap<FastifyReply, ForecourtError>();

/** The error that a request is answered with; null: none. */
export function errorAnsweredWith(reply: FastifyReply): ForecourtError | null {
  return answered.get(reply) ?? null;
}

/** The transaction and the reservation of a request, as far as it was read: history shows them with its refusal. */
export interface RefusedSubject {
  sender?: string;
  sponsor?: string;
  digest?: string;
  /** A reservation of the caller. */
  reservationId?: number;
  /** Base64 bytes. */
  transaction?: string;
  /** Name of the access rule that refuses it. */
  rule?: string;
  /** The reservation is bound to the transaction: the pool records what follows. */
  isBound?: boolean;
}

const subjects = new WeakMap<FastifyRequest, RefusedSubject>();

/** The subject of a request's refusal. The handler hands it down, and each step adds what it has read. */
export function refusedSubjectOf(request: FastifyRequest): RefusedSubject {
  const subject = subjects.get(request) ?? {};
  subjects.set(request, subject);
  return subject;
}

/** Answers a request with an error, whether or not a handler has run. */
export function answerError(reply: FastifyReply, error: ForecourtError): FastifyReply {
  answered.set(reply, error);
  if (error.status === 503 || error.status === 429) {
    void reply.header('retry-after', error.retryAfterSecs ?? DEFAULT_RETRY_AFTER_SECS);
  }
  void reply.header(ERROR_CODE_HEADER, error.code);
  // The body's text is fixed (specification, "Errors").
  if (error.code === 'INVALID_SIGNATURE') void reply.header(EXPECTED_SIGNER_HEADER, error.detail);
  return reply.code(error.status).send({ error: error.message });
}

/** When the process is about to end, answers the requests whose handlers have not, so that none is cut off. */
@Injectable()
export class UnansweredRequests {
  readonly #replies = new Set<FastifyReply>();

  constructor(private readonly state: ServiceState) {}

  attachTo(server: FastifyInstance): void {
    server.addHook('onRequest', (_request, reply, done) => {
      this.#replies.add(reply);
      reply.raw.once('close', () => this.#replies.delete(reply));
      done();
    });
    this.state.onStop(() => {
      const waitMs = this.state.answerBy - performance.now() + GRACE_MS;
      setTimeout(() => this.answerAll(), Math.max(0, waitMs)).unref();
    });
  }

  private answerAll(): void {
    for (const reply of this.#replies) {
      if (!reply.sent) answerError(reply, new ForecourtError('SHUTTING_DOWN'));
    }
  }
}
