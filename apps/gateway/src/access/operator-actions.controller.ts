import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ActionsResponse } from '@forecourt/contracts/http';
import { OperatorActions } from './operator-actions.js';
import { READERS, RequireRole } from './route-declaration.js';

@ApiTags('Operation')
@Controller('/v1')
export class OperatorActionsController {
  constructor(private readonly actions: OperatorActions) {}

  @Get('actions')
  @RequireRole(READERS)
  @ApiOperation({
    operationId: 'listActions',
    summary: 'The last hundred actions of operators',
    description: 'Who has changed what, and why; newest first.',
  })
  @ApiOkResponse({ description: 'The actions.', type: ActionsResponse })
  async list(): Promise<ActionsResponse> {
    return { result: { actions: await this.actions.list() } };
  }
}
