import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PauseRequest, PausesResponse, ResumeRequest } from '@forecourt/contracts/http';
import type { Caller } from '@forecourt/policy/tokens';
import { READERS, RequireRole } from '../access/route-declaration.js';
import { PauseOrders } from '../access/pause-orders.js';
import { FleetTokens } from './fleet-tokens.js';
import { SponsorsService } from './sponsors.service.js';
import { readScope } from '../access/pause-scopes.js';
import { RequestCaller } from '../access/request-caller.js';

const ALL_PAUSED = { description: 'All current pauses.', type: PausesResponse };

@ApiTags('Operation')
@Controller('/v1')
export class PausesController {
  constructor(
    private readonly orders: PauseOrders,
    private readonly sponsors: SponsorsService,
    private readonly tokens: FleetTokens,
  ) {}

  @Post('pause')
  @HttpCode(200)
  @RequireRole('operator')
  @ApiOperation({
    operationId: 'pause',
    summary: 'Pause everything, a sponsor or a token',
    description:
      'New reservations and executions are answered with 503 and the reason, at every gateway within a second, until they are resumed. Claimed transactions are finished. A token that no gateway knows is refused; while gateways have different files, any is accepted with a warning.',
  })
  @ApiOkResponse(ALL_PAUSED)
  async pause(
    @RequestCaller() { name }: Caller,
    @Body() body: PauseRequest,
  ): Promise<PausesResponse> {
    const scope = readScope(body);
    if (body.sponsor_address != null) await this.sponsors.requireKnown(body.sponsor_address);
    const warning = body.token == null ? null : await this.tokens.requireKnown(body.token);
    await this.orders.pause(scope, body.reason, name);
    return this.list(warning === null ? [] : [warning]);
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
    await this.orders.resume(readScope(body), name);
    return this.list([]);
  }

  @Get('pauses')
  @RequireRole(READERS)
  @ApiOperation({
    operationId: 'listPauses',
    summary: 'All pauses, with their operators and reasons',
    description: 'As Redis has it now; gateways follow within a second.',
  })
  @ApiOkResponse(ALL_PAUSED)
  listAll(): Promise<PausesResponse> {
    return this.list([]);
  }

  private async list(warnings: readonly string[]): Promise<PausesResponse> {
    return { result: { paused: await this.orders.list(), warnings } };
  }
}
