import { type ArgumentsHost, Catch, Inject, type RpcExceptionFilter } from '@nestjs/common';
import { type ErrorMessage, ForecourtError, type SentForRequest } from '@forecourt/contracts';
import { LedgerUnreachable } from '@forecourt/ledger';
import { type Logger, LOGGER, withLogFields } from '@forecourt/runtime/service';
import { type Observable, throwError } from 'rxjs';

/** What a message may say it is about. */
interface Concerned extends SentForRequest {
  readonly reservationId?: number;
  readonly digest?: string;
}

/** The one place where errors become what gateways receive. Causes are logged here and stay here. */
@Catch()
export class ErrorMessageFilter implements RpcExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): Observable<never> {
    const { requestId, reservationId, digest } = host.switchToRpc().getData<Concerned>();
    const { code, detail, retryAfterSecs } = withLogFields(
      { requestId, reservationId, digest },
      () => this.toForecourtError(error),
    );
    const message: ErrorMessage = { code, detail, retryAfterSecs };
    return throwError(() => message);
  }

  private toForecourtError(error: unknown): ForecourtError {
    if (error instanceof ForecourtError) return error;
    if (error instanceof LedgerUnreachable) {
      return new ForecourtError('LEDGER_UNREACHABLE', '', { cause: error });
    }
    // What else fails here is Redis, or a mistake of ours; either way the pool cannot say now.
    this.logger.error({ error: error instanceof Error ? error.stack : error }, 'message failed');
    return new ForecourtError('STORE_UNREACHABLE', '', { cause: error });
  }
}
