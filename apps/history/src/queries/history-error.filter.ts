import { Catch, Inject } from '@nestjs/common';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { ErrorMessageFilter } from '@forecourt/runtime/transport';

/** Any error outside of the table is an outage of the database, or a bug. */
@Catch()
export class HistoryErrorFilter extends ErrorMessageFilter {
  constructor(@Inject(LOGGER) logger: Logger) {
    super(logger, 'HISTORY_UNREACHABLE');
  }
}
