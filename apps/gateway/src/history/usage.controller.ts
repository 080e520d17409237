import { Controller, Get, Headers, Query, Res, UseGuards } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { UsageQuery, UsageResponse } from '@forecourt/contracts/http';
import { type Caller, roles } from '@forecourt/policy/tokens';
import type { FastifyReply } from 'fastify';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { RequireHistoryGuard } from './require-history.guard.js';
import { formatUsage } from './usage-csv.js';
import { UsageService } from './usage.service.js';
import { viewerOf } from './viewer-of-caller.js';
import { RequestCaller } from '../access/request-caller.js';
import { prefersToJson, varyBy } from '../http/negotiate-content.js';

const CSV = 'text/csv';

@ApiTags('History')
@Controller('/v1')
@UseGuards(RequireHistoryGuard)
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('usage')
  @RequireRole(roles)
  @Admission('records')
  @ErrorCodes('INVALID_REQUEST', 'HISTORY_OFF', 'HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'sumUsage',
    summary: 'Numbers of transactions and their gas',
    description:
      'By default of the current month. Days, hours and months are in UTC. A sum counts a transaction at the time of its reservation, and is equal to what the ledger charged.',
  })
  @ApiExtraModels(UsageResponse)
  @ApiOkResponse({
    description: 'The sums; CSV has the columns of the rows.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(UsageResponse) } },
      [CSV]: {
        schema: { type: 'string' },
        example: 'day,transactions,failed,refused,gas\r\n"2026-11-25",1,0,0,1980400\r\n',
      },
    },
  })
  async sum(
    @RequestCaller() caller: Caller,
    @Query() query: UsageQuery,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UsageResponse | string> {
    const { format = prefersToJson(accept, [CSV]) ? 'csv' : 'json' } = query;
    const report = await this.usage.sum(viewerOf(caller), query);
    varyBy(reply, 'Accept');
    if (format === 'json') return { result: report };
    void reply.type(`${CSV}; charset=utf-8`);
    void reply.header('content-disposition', 'attachment; filename="usage.csv"');
    return formatUsage(report);
  }
}
