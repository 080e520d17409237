import type { IncomingMessage } from 'node:http';
import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  Body,
  Controller,
  Get,
  HttpCode,
  Post,
  UseGuards,
} from '@nestjs/common';
import { plainAddress } from '@forecourt/admission';
import { FLEET_PROOF_HEADER, isProvenBy } from '@forecourt/runtime/fleet-proof';
import {
  CheckpointRange,
  type ErrorMessage,
  EVENTS_INDEX_PATHS,
  type EventsIndex,
  ForecourtError,
  readDto,
} from '@forecourt/contracts';
import { type Logger, LOGGER, Public } from '@forecourt/runtime/service';
import type { EventsConfig } from '../config/events-config.js';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import { INDEX, type IndexParts } from './assemble-index.js';

const LOOPBACK = /^(?:127\.|::1$)/;

interface Received {
  readonly raw: IncomingMessage;
  readonly body: unknown;
}

/**
 * Lets only requests from gateways pass, which have checked the caller's role and record what operators do.
 * They prove that they belong to the fleet; a service without the fleet secret serves a gateway on the same
 * host only.
 */
@Injectable()
class OnlyGateways implements CanActivate {
  constructor(
    @Inject(EVENTS_CONFIG)
    private readonly config: EventsConfig,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { raw, body } = context.switchToHttp().getRequest<Received>();
    const address = plainAddress(raw.socket.remoteAddress ?? '');
    if (address === null || !this.config.trustedGateways.includes(address)) return false;
    const { fleetSecrets } = this.config;
    if (fleetSecrets.length === 0) return LOOPBACK.test(address);
    const { method = '', url: path = '', headers } = raw;
    const request = { method, path, body: body ?? undefined };
    return isProvenBy(fleetSecrets, request, headers[FLEET_PROOF_HEADER]);
  }
}

/** The index, or the error for the gateway's caller. */
type Answer = { readonly result: EventsIndex } | { readonly error: ErrorMessage };

/** The requests of gateways about the index, for operators. */
@Controller()
@UseGuards(OnlyGateways)
export class IndexOperationsController {
  constructor(
    @Inject(INDEX) private readonly index: IndexParts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get(EVENTS_INDEX_PATHS.state)
  @Public()
  read(): Promise<Answer> {
    return this.answer(() => this.index.requests.read());
  }

  @Post(EVENTS_INDEX_PATHS.backfill)
  @HttpCode(200)
  @Public()
  backfill(@Body() body: unknown): Promise<Answer> {
    return this.answer(() => this.index.requests.backfill(readDto(CheckpointRange, body)));
  }

  private async answer(run: () => Promise<EventsIndex>): Promise<Answer> {
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
