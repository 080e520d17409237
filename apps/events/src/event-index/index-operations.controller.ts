import { Body, Controller, Get, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import {
  CheckpointRange,
  type ErrorMessage,
  EVENTS_INDEX_PATHS,
  type EventsIndex,
  type EventsIndexVerification,
  ForecourtError,
  readDto,
} from '@forecourt/contracts';
import { type Logger, LOGGER, Public } from '@forecourt/runtime/service';
import { INDEX, type IndexParts } from './assemble-index.js';
import { OnlyGateways } from './only-gateways.guard.js';

/** The result, or the error for the gateway's caller. */
type Answer<T> = { readonly result: T } | { readonly error: ErrorMessage };

/** The requests of gateways about the index, for operators. */
@Controller()
@UseGuards(OnlyGateways)
export class IndexOperationsController {
  constructor(
    @Inject(INDEX) private readonly index: Pick<IndexParts, 'requests' | 'verification'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get(EVENTS_INDEX_PATHS.state)
  @Public()
  read(): Promise<Answer<EventsIndex>> {
    return this.answer(() => this.index.requests.read());
  }

  @Post(EVENTS_INDEX_PATHS.backfill)
  @HttpCode(200)
  @Public()
  backfill(@Body() body: unknown): Promise<Answer<EventsIndex>> {
    return this.answer(() => this.index.requests.backfill(readDto(CheckpointRange, body)));
  }

  @Post(EVENTS_INDEX_PATHS.verify)
  @HttpCode(200)
  @Public()
  verify(@Body() body: unknown): Promise<Answer<EventsIndexVerification>> {
    return this.answer(() => this.index.verification.verify(readDto(CheckpointRange, body)));
  }

  private async answer<T>(run: () => Promise<T>): Promise<Answer<T>> {
    try {
      return { result: await run() };
    } catch (error) {
      if (error instanceof ForecourtError) {
        return { error: { code: error.code, detail: error.detail } };
      }
      this.logger.warn({ error: (error as Error).message }, 'The index of events does not answer');
      return { error: { code: 'EVENTS_UNREACHABLE', detail: '' } };
    }
  }
}
