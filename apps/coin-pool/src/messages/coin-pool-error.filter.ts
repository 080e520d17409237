import { Catch, Inject } from '@nestjs/common';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { ErrorMessageFilter } from '@forecourt/runtime/transport';

/** Any error outside of the table is an outage of Redis, or a bug. */
@Catch()
export class CoinPoolErrorFilter extends ErrorMessageFilter {
  constructor(@Inject(LOGGER) logger: Logger) {
    super(logger, 'STORE_UNREACHABLE');
  }
}
