import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SponsorsResponse } from '@forecourt/contracts';
import { ErrorCodes, RequireRole } from '../authorization/route-declaration.js';
import { sponsorsResponse } from '../openapi/examples.js';
import { JsonAnswer } from '../openapi/json.decorators.js';
import { schemaNamed } from '../openapi/json-schema.js';
import { SponsorStatuses } from './sponsor-statuses.js';

@ApiTags('Operation')
@Controller()
export class ListSponsorsController {
  constructor(private readonly statuses: SponsorStatuses) {}

  @Get('/v1/sponsors')
  @RequireRole('operator')
  @ErrorCodes('POOL_REFUSED')
  @ApiOperation({
    operationId: 'listSponsors',
    summary: 'Every sponsor with its coins and the progress of its drain and withdrawal',
    description: 'As Redis has them now.',
  })
  @JsonAnswer(
    'All sponsors that the fleet has had.',
    schemaNamed('SponsorsResponse'),
    sponsorsResponse,
  )
  list(): Promise<SponsorsResponse> {
    return this.statuses.read();
  }
}
