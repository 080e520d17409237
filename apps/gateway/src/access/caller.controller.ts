import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AccessResponse, CallerResponse } from '@forecourt/contracts/http';
import { CURRENCY } from '@forecourt/ledger';
import { type Caller, roles } from '@forecourt/policy/tokens';
import { ReplicaIdentity } from '@forecourt/runtime/service';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { AccessPolicy } from './access-policy.js';
import { READERS, RequireRole } from './route-declaration.js';
import { RequestCaller } from './request-caller.js';

@ApiTags('Operation')
@Controller('/v1')
export class CallerController {
  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly identity: ReplicaIdentity,
    private readonly access: AccessPolicy,
  ) {}

  @Get('caller')
  @RequireRole(roles)
  @ApiOperation({
    operationId: 'describeCaller',
    summary: 'The name and the roles of the token that asks',
    description: 'The first call of a page that shows records: a wrong token gets 401.',
  })
  @ApiOkResponse({ description: 'The caller.', type: CallerResponse })
  describe(@RequestCaller() { name, token, sender, roles: own }: Caller): CallerResponse {
    const { version } = this.identity;
    const { explorerUrl } = this.config;
    return {
      result: {
        name,
        token,
        user: sender,
        roles: [...own],
        version,
        currency: CURRENCY,
        explorer_url: explorerUrl,
      },
    };
  }

  @Get('access')
  @RequireRole(READERS)
  @ApiOperation({
    operationId: 'describeAccess',
    summary: 'Tokens, their limits, and the access rules in force',
    description:
      'Of the gateway that answers; gateways with the same `version` use the same tokens and rules. No hash, key, header or password is shown.',
  })
  @ApiOkResponse({ description: 'Tokens and rules.', type: AccessResponse })
  describeAccess(): AccessResponse {
    return { result: this.access.describe() };
  }
}
