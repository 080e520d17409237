import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ErrorCodes, RequireRole } from '../authorization/route-declaration.js';
import { JsonAnswer } from '../openapi/json.decorators.js';
import { schemaNamed } from '../openapi/json-schema.js';
import { FleetReload } from './fleet-reload.js';

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
      'Answered when every gateway of the fleet has loaded them, or with the reason why one has not.',
  })
  @JsonAnswer('Every gateway has loaded them.', schemaNamed('Reloaded'), { result: 'success' })
  async reload(): Promise<{ result: string }> {
    await this.fleetReload.run();
    return { result: 'success' };
  }
}
