import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { ForecourtError, LISTED_BOUNDS } from '@forecourt/contracts';
import { FleetResponse, OverviewResponse } from '@forecourt/contracts/http';
import type { Caller } from '@forecourt/policy/tokens';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { ErrorCodes, READERS, RequireRole } from '../access/route-declaration.js';
import { FleetService } from './fleet.service.js';
import { OverviewService } from './overview.service.js';
import { RequestCaller } from '../access/request-caller.js';

const { min, max } = LISTED_BOUNDS;
const LISTED = 20;

@ApiTags('Operation')
@Controller()
export class FleetController {
  constructor(
    private readonly fleet: FleetService,
    private readonly overview: OverviewService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get('/v1/fleet')
  @RequireRole(READERS)
  @ErrorCodes('INVALID_REQUEST')
  @ApiOperation({
    operationId: 'inspectFleet',
    summary: 'Sponsors, work in flight, queue and replicas, as they are now',
    description:
      'Counts include everything; `transactions` lists those in flight that have waited longest for an executor. `problems` names the parts that cannot be read.',
  })
  @ApiQuery({
    name: 'listed',
    required: false,
    description: 'Number of listed transactions, of each state of each sponsor.',
    schema: { type: 'integer', minimum: min, maximum: max, default: LISTED },
  })
  @ApiOkResponse({ description: 'The fleet.', type: FleetResponse })
  async inspect(
    @RequestCaller() { name: operator }: Caller,
    @Query('listed') listed?: unknown,
  ): Promise<FleetResponse> {
    const most = readListed(listed);
    this.logger.info({ operator, action: 'inspect' }, 'operator action');
    return { result: await this.fleet.inspect(most) };
  }

  @Get('/v1/overview')
  @RequireRole(READERS)
  @ApiOperation({
    operationId: 'readOverview',
    summary: 'Sponsors, queue, problems, and the requests of the last minute',
    description:
      'For screens that ask every few seconds: a gateway reads it at most once a second for all of them. `problems` names the parts that cannot be read.',
  })
  @ApiOkResponse({ description: 'The overview.', type: OverviewResponse })
  async readOverview(): Promise<OverviewResponse> {
    return { result: await this.overview.read() };
  }
}

function readListed(listed: unknown): number {
  if (listed === undefined) return LISTED;
  const most = typeof listed === 'string' && /^\d{1,3}$/.test(listed) ? Number(listed) : NaN;
  if (most >= min && most <= max) return most;
  throw new ForecourtError('INVALID_REQUEST', `listed must be an integer from ${min} to ${max}`);
}
