import { type Observable, throwError } from 'rxjs';
import type { ArgumentsHost, RpcExceptionFilter } from '@nestjs/common';
import {
  type ErrorCode,
  type ErrorMessage,
  ForecourtError,
  type MessageHeader,
} from '@forecourt/contracts';
import { LedgerUnreachable } from '@forecourt/ledger';
import { ledgerFailure } from '../ledger/ledger-failure.js';
import { type Logger, withLogFields } from '../service/index.js';

/** The fields of a message that its log lines carry. */
interface Subject extends MessageHeader {
  readonly reservationId?: number;
  readonly digest?: string;
}

/** The form in which gateways receive an error. */
export function errorMessageOf({ code, detail, retryAfterSecs }: ForecourtError): ErrorMessage {
  return { code, detail, retryAfterSecs };
}

/** Turns every error into the form that gateways receive. Causes are logged here and not sent. */
export abstract class ErrorMessageFilter implements RpcExceptionFilter {
  /** `other`: of any error outside of the table. */
  constructor(
    private readonly logger: Logger,
    private readonly other: ErrorCode,
  ) {}

  catch(error: unknown, host: ArgumentsHost): Observable<never> {
    const { requestId, reservationId, digest } = host.switchToRpc().getData<Subject | null>() ?? {};
    const fields = { requestId, reservationId, digest };
    const known = withLogFields(fields, () => this.toForecourtError(error));
    return throwError(() => errorMessageOf(known));
  }

  private toForecourtError(error: unknown): ForecourtError {
    if (error instanceof ForecourtError) return error;
    if (error instanceof LedgerUnreachable) {
      return ledgerFailure(error);
    }
    // An outage of what the service needs, or a bug; either way it cannot answer now.
    this.logger.error(
      { error: error instanceof Error ? error.stack : error },
      'Message handling failed',
    );
    return new ForecourtError(this.other, '', { cause: error });
  }
}
