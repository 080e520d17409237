import { randomUUID } from 'node:crypto';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Inject,
} from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type { HealthCheckResult } from '@nestjs/terminus';
import { InvalidTransactionBytes, LedgerUnreachable } from '@forecourt/ledger';
import { ledgerFailure } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from './answer-error.js';
import { wrongContentType } from './read-body.js';

/**
 * The one place where errors become HTTP answers. An unexpected error is logged under an id; the client gets
 * only the id.
 */
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
