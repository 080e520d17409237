import { type ArgumentsHost, Catch, Inject } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { ErrorMessageFilter } from '@forecourt/runtime/transport';
import { ANSWER_MS, isTooSlow } from './database.js';

const TOO_SLOW = `The answer takes longer than ${ANSWER_MS / 1_000} s: ask for less time, fewer keys or more filters`;

/** Any error outside of the table is an outage of the database, or a bug. */
@Catch()
export class HistoryErrorFilter extends ErrorMessageFilter {
  constructor(@Inject(LOGGER) logger: Logger) {
    super(logger, 'HISTORY_UNREACHABLE');
  }

  /** Another replica would be as slow: the caller has to ask for less. */
  override catch(error: unknown, host: ArgumentsHost) {
    const refusal = isTooSlow(error) ? new ForecourtError('INVALID_REQUEST', TOO_SLOW) : error;
    return super.catch(refusal, host);
  }
}
