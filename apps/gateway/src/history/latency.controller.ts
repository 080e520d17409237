import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { LatencyQuery, LatencyResponse } from '@forecourt/contracts/http';
import { type Caller, roles } from '@forecourt/policy/tokens';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { HistoryClient } from './history-client.js';
import { readFilters, requireOrder } from './read-filters.js';
import { RequireHistoryGuard } from './require-history.guard.js';
import { viewerOf } from './viewer-of-caller.js';
import { RequestCaller } from '../access/request-caller.js';

/** The time before `to` that is read by default, in ms. */
const DEFAULT_SPANS = { minute: 3_600_000, hour: 86_400_000, day: 30 * 86_400_000 } as const;

@ApiTags('History')
@Controller('/v1')
@UseGuards(RequireHistoryGuard)
export class LatencyController {
  constructor(private readonly history: HistoryClient) {}

  @Get('latency')
  @RequireRole(roles)
  @Admission('records')
  @ErrorCodes('INVALID_REQUEST', 'HISTORY_OFF', 'HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'readLatency',
    summary: 'How long transactions took, and waited in the queue',
    description:
      'Percentiles within 5 %, by the time of the reservation. By default of the last 60 minutes, 24 hours or 30 days. Minutes are kept since the beginning of yesterday (UTC).',
  })
  @ApiOkResponse({ description: 'The percentiles.', type: LatencyResponse })
  async read(
    @RequestCaller() caller: Caller,
    @Query() query: LatencyQuery,
  ): Promise<LatencyResponse> {
    const { by = 'hour' } = query;
    const {
      to = Date.now(),
      from = Math.max(0, to - DEFAULT_SPANS[by]),
      token,
    } = readFilters(query);
    requireOrder({ from, to });
    const message = {
      viewer: viewerOf(caller),
      from,
      to,
      by,
      ...(token !== undefined && { token }),
    };
    return { result: await this.history.readLatency(message) };
  }
}
