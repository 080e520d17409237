import { randomUUID } from 'node:crypto';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Inject,
  Injectable,
} from '@nestjs/common';
import { DEFAULT_RETRY_AFTER_SECS, ForecourtError } from '@forecourt/contracts';
import type { HealthCheckResult } from '@nestjs/terminus';
import { InvalidTransactionBytes, LedgerUnreachable } from '@forecourt/ledger';
import { ledgerFailure } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, ServiceState } from '@forecourt/runtime/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

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
  /** `writeDecisionFacts`, once the access rules decide about it. */
  facts?: string;
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
  if ((error.status === 503 || error.status === 429) && error.retryAfterSecs !== null) {
    void reply.header('retry-after', error.retryAfterSecs ?? DEFAULT_RETRY_AFTER_SECS);
  }
  void reply.header(ERROR_CODE_HEADER, error.code);
  // The body's text is fixed (specification, "Errors").
  if (error.code === 'INVALID_SIGNATURE') void reply.header(EXPECTED_SIGNER_HEADER, error.detail);
  return reply.code(error.status).send({ error: error.message });
}

/** The one place where errors become HTTP answers. An unexpected error is logged under an id; the client gets only the id. */
@Catch()
export class ErrorAnswerFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const answer = this.toForecourtError(error, request);
    if (answer.cause) {
      this.logger.warn(
        { requestId: request.id, cause: describeCause(answer.cause) },
        answer.message,
      );
    } else if (answer.code !== 'INTERNAL') {
      // By its code only: the message may contain what the caller sent.
      const { code, status } = answer;
      this.logger.info({ requestId: request.id, code, status }, 'request refused');
    }
    answerError(reply, answer);
  }

  private toForecourtError(error: unknown, request: FastifyRequest): ForecourtError {
    if (error instanceof ForecourtError) return error;
    if (error instanceof InvalidTransactionBytes) {
      return new ForecourtError('INVALID_TRANSACTION_BYTES', error.message);
    }
    if (error instanceof LedgerUnreachable) {
      return ledgerFailure(error);
    }
    if (error instanceof HttpException) {
      const known = fromFramework(error, request);
      if (known) return known;
    }
    // The client disconnected before the whole request had arrived: no client reads the answer.
    if (request.raw.destroyed && !request.raw.complete) {
      return new ForecourtError('INVALID_REQUEST', 'Incomplete request: the connection was closed');
    }
    const id = randomUUID();
    const stack = error instanceof Error ? error.stack : String(error);
    this.logger.error({ id, requestId: request.id, stack }, 'unexpected error');
    return new ForecourtError('INTERNAL', id);
  }
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : JSON.stringify(cause);
}

/** The names of the dependencies that a probe found down, without their messages, which are internal. */
function namesOfDown(found: Partial<HealthCheckResult> | string): string {
  return typeof found === 'string' ? found : Object.keys(found.error ?? {}).join(', ');
}

/** The refusals of Nest, Fastify and the probes before a handler runs. */
function fromFramework(error: HttpException, request: FastifyRequest): ForecourtError | null {
  switch (error.getStatus()) {
    case 400:
      return new ForecourtError('INVALID_REQUEST', `Invalid request: ${error.message}`);
    case 403:
    case 404:
    case 405:
      return new ForecourtError('NOT_FOUND', `${request.method} ${request.url.slice(0, 100)}`);
    case 413:
      return new ForecourtError('PAYLOAD_TOO_LARGE', error.message);
    case 415:
      return wrongContentType(request.headers['content-type']);
    case 503:
      return new ForecourtError('NOT_READY', namesOfDown(error.getResponse()));
    default:
      return null;
  }
}

const MAX_SHOWN_TYPE = 100;

/** INVALID_REQUEST that names the content type; undefined: the request has none. */
export function wrongContentType(contentType: string | undefined): ForecourtError {
  const arrived =
    contentType === undefined ? 'none' : JSON.stringify(contentType.slice(0, MAX_SHOWN_TYPE));
  return new ForecourtError(
    'INVALID_REQUEST',
    `Content-Type must be application/json; got ${arrived}`,
  );
}

/** Time after `ServiceState.answerBy`, for handlers that answer at the last moment; their own waits may hang. */
const GRACE_MS = 1_000;

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
