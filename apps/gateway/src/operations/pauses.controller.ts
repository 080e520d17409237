import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PauseRequest, PausesResponse, ResumeRequest } from '@forecourt/contracts/http';
import type { Caller } from '@forecourt/policy/tokens';
import { RequestCaller } from '../access/request-admission.js';
import { READERS, RequireRole } from '../access/route-declaration.js';
import { Pauses, readScope } from '../access/pauses.js';
import { SponsorsService } from './sponsors.service.js';

const ALL_PAUSED = { description: 'All current pauses.', type: PausesResponse };

@ApiTags('Operation')
@Controller('/v1')
export class PausesController {
  constructor(
    private readonly pauses: Pauses,
    private readonly sponsors: SponsorsService,
  ) {}

  @Post('pause')
  @HttpCode(200)
  @RequireRole('operator')
  @ApiOperation({
    operationId: 'pause',
    summary: 'Pause everything, a sponsor or a token',
    description:
      'New reservations and executions are answered with 503 and the reason, at every gateway within a second, until they are resumed. Claimed transactions are finished.',
  })
  @ApiOkResponse(ALL_PAUSED)
  async pause(
    @RequestCaller() { name }: Caller,
    @Body() body: PauseRequest,
  ): Promise<PausesResponse> {
    const scope = readScope(body);
    if (body.sponsor_address != null) await this.sponsors.requireKnown(body.sponsor_address);
    await this.pauses.pause(scope, body.reason, name);
    return this.list();
  }

  @Post('resume')
  @HttpCode(200)
  @RequireRole('operator')
  @ApiOperation({
    operationId: 'resume',
    summary: 'End a pause',
    description:
      'Names the scope as the pause did. Without a pause of this scope, nothing changes.',
  })
  @ApiOkResponse(ALL_PAUSED)
  async resume(
    @RequestCaller() { name }: Caller,
    @Body() body: ResumeRequest,
  ): Promise<PausesResponse> {
    await this.pauses.resume(readScope(body), name);
    return this.list();
  }

  @Get('pauses')
  @RequireRole(READERS)
  @ApiOperation({
    operationId: 'listPauses',
    summary: 'All pauses, with their operators and reasons',
    description: 'As Redis has it now; gateways follow within a second.',
  })
  @ApiOkResponse(ALL_PAUSED)
  async list(): Promise<PausesResponse> {
    return { result: { paused: await this.pauses.list() } };
  }
}
