import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RefusalsQuery, RefusalsResponse } from '@forecourt/contracts/http';
import { type Caller, roles } from '@forecourt/policy/tokens';
import { maySee } from '@forecourt/sponsorship';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { HistoryClient } from './history-client.js';
import { readCursor, writeCursor } from './page-cursor.js';
import { readFilters, readLimit } from './read-filters.js';
import { RequireHistoryGuard } from './require-history.guard.js';
import { viewerOf } from './viewer-of-caller.js';
import { RequestCaller } from '../access/request-caller.js';

@ApiTags('History')
@Controller('/v1')
@UseGuards(RequireHistoryGuard)
export class RefusalsController {
  constructor(private readonly history: HistoryClient) {}

  @Get('refusals')
  @RequireRole(roles)
  @Admission('records')
  @ErrorCodes('INVALID_REQUEST', 'HISTORY_OFF', 'HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'listRefusals',
    summary: 'Refused requests, newest first',
    description:
      'Requests that ended before a reservation was bound to a transaction; 401 is not recorded. One in a minute for each token, code and rule has its transaction, by which filters by package, module and function find it. Beyond 100 a second in one gateway, or 256 MiB a day, of which each token has a share, only their number is kept (`dropped`). All given filters must match.',
  })
  @ApiOkResponse({ description: 'A page.', type: RefusalsResponse })
  async list(
    @RequestCaller() caller: Caller,
    @Query() query: RefusalsQuery,
  ): Promise<RefusalsResponse> {
    const viewer = viewerOf(caller);
    const filters = readFilters(query);
    const paged = { list: 'refusals', viewer, filters } as const;
    const { cursor } = query;
    const { data, next, dropped } = await this.history.listRefusals({
      viewer,
      filters,
      limit: readLimit(query),
      ...(cursor !== undefined && { before: readCursor(paged, cursor) }),
    });
    return {
      result: {
        data: data.filter((one) => maySee(viewer, one)),
        next_cursor: next === null ? null : writeCursor(paged, next),
        dropped: dropped.filter(({ token }) => maySee(viewer, { token, user: null })),
      },
    };
  }
}
