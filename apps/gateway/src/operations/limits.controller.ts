import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { LimitsQuery, LimitsResponse } from '@forecourt/contracts/http';
import { type Caller, roles } from '@forecourt/policy/tokens';
import { Admission, ErrorCodes, READERS, RequireRole } from '../access/route-declaration.js';
import { readSponsor } from '../sponsoring/reservations.service.js';
import { BudgetsService } from './budgets.service.js';
import { RequestCaller } from '../access/request-caller.js';

@ApiTags('Operation')
@Controller('/v1')
export class LimitsController {
  constructor(private readonly budgets: BudgetsService) {}

  @Get('limits')
  @RequireRole(roles)
  @Admission('records')
  @ErrorCodes('INVALID_REQUEST', 'POOL_REFUSED', 'SPONSOR_DRAINED')
  @ApiOperation({
    operationId: 'listLimits',
    summary: 'The limits of the token that asks, and what is used of its budgets',
    description:
      'Operators and auditors see those of all tokens and of the sponsor. A user’s token shows no budget, because all users of its entry share them.',
  })
  @ApiOkResponse({ description: 'The limits.', type: LimitsResponse })
  async list(
    @RequestCaller() caller: Caller,
    @Query() query: LimitsQuery,
  ): Promise<LimitsResponse> {
    const readsAll = READERS.some((role) => caller.roles.has(role));
    const sponsor = readSponsor(query.sponsor_address);
    return { result: await this.budgets.list(caller, readsAll, sponsor) };
  }
}
