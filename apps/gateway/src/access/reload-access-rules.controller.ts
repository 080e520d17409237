import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ErrorCodes, RequireRole } from './route-declaration.js';
import { FleetReload } from './fleet-reload.js';

class AccessRulesReload {
  @ApiProperty({ enum: ['success'] })
  readonly result!: 'success';
}

@ApiTags('Service')
@Controller()
export class ReloadAccessRulesController {
  constructor(private readonly fleetReload: FleetReload) {}

  @Get('/v1/reload_access_controller')
  @RequireRole('operator')
  @ErrorCodes('ACCESS_RULES_INVALID', 'ACCESS_RULES_NOT_EVERYWHERE')
  @ApiOperation({
    operationId: 'reloadAccessController',
    summary: 'Make every gateway reload its tokens and access rules',
    description:
      'Answers once every gateway of the fleet has loaded them, or with the reason why one has not.',
  })
  @ApiOkResponse({ description: 'Every gateway has loaded them.', type: AccessRulesReload })
  async reload(): Promise<AccessRulesReload> {
    await this.fleetReload.reload();
    return { result: 'success' };
  }
}
