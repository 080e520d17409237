import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PauseRequest, type PausesResponse, ResumeRequest } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import { RequestCaller } from '../authorization/caller-of-request.js';
import { RequireRole } from '../authorization/route-declaration.js';
import { ReadBody } from '../http/read-body.pipe.js';
import { pauseRequest, pausesResponse, resumeRequest } from '../openapi/examples.js';
import { JsonAnswer, JsonBody } from '../openapi/json.decorators.js';
import { schemaNamed } from '../openapi/json-schema.js';
import { Pauses } from './pauses.js';
import { readScope } from './scope.js';

const ALL_PAUSED = 'All that is paused now.';

@ApiTags('Operation')
@Controller()
export class PauseController {
  constructor(private readonly pauses: Pauses) {}

  @Post('/v1/pause')
  @HttpCode(200)
  @RequireRole('operator')
  @ApiOperation({
    operationId: 'pause',
    summary: 'Pause everything, a sponsor or a token',
    description:
      'New reservations and executions are answered with 503 and the reason, at every gateway within a second, until they are resumed. What has been claimed is finished.',
  })
  @JsonBody(schemaNamed('PauseRequest'), pauseRequest)
  @JsonAnswer(ALL_PAUSED, schemaNamed('PausesResponse'), pausesResponse)
  async pause(
    @RequestCaller() { name }: Caller,
    @Body(new ReadBody(PauseRequest))
    body: PauseRequest,
  ): Promise<PausesResponse> {
    await this.pauses.pause(readScope(body), body.reason, name);
    return this.list();
  }

  @Post('/v1/resume')
  @HttpCode(200)
  @RequireRole('operator')
  @ApiOperation({
    operationId: 'resume',
    summary: 'Resume what was paused',
    description: 'Names the scope as the pause did. What is not paused stays as it is.',
  })
  @JsonBody(schemaNamed('ResumeRequest'), resumeRequest)
  @JsonAnswer(ALL_PAUSED, schemaNamed('PausesResponse'), pausesResponse)
  async resume(
    @RequestCaller() { name }: Caller,
    @Body(new ReadBody(ResumeRequest))
    body: ResumeRequest,
  ): Promise<PausesResponse> {
    await this.pauses.resume(readScope(body), name);
    return this.list();
  }

  @Get('/v1/pauses')
  @RequireRole('operator')
  @ApiOperation({
    operationId: 'listPauses',
    summary: 'What is paused, by whom and why',
    description: 'As Redis has it now; gateways follow within a second.',
  })
  @JsonAnswer(ALL_PAUSED, schemaNamed('PausesResponse'), pausesResponse)
  async list(): Promise<PausesResponse> {
    return { result: { paused: await this.pauses.list() } };
  }
}
