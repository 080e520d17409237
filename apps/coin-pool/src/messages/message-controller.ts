import { applyDecorators, Catch, Controller, Inject, UseFilters, UsePipes } from '@nestjs/common';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { ErrorMessageFilter, ReadMessage } from '@forecourt/runtime/transport';

/** Any error outside of the table is an outage of Redis, or a bug. */
@Catch()
class CoinPoolErrorFilter extends ErrorMessageFilter {
  constructor(@Inject(LOGGER) logger: Logger) {
    super(logger, 'STORE_UNREACHABLE');
  }
}

/**
 * A controller of messages from gateways, which are read, and answered with errors of the table.
 */
export const MessageController = () =>
  applyDecorators(Controller(), UseFilters(CoinPoolErrorFilter), UsePipes(ReadMessage));
