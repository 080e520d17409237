import { Controller, Get, Inject, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForecourtError, type TrafficPeriod } from '@forecourt/contracts';
import {
  DecisionPeriodQuery,
  DecisionsQuery,
  DecisionsResponse,
  MissingDecisionsResponse,
} from '@forecourt/contracts/http';
import type { Caller } from '@forecourt/policy/tokens';
import { Admission, ErrorCodes, READERS, RequireRole } from '../access/route-declaration.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { HistoryClient } from './history-client.js';
import { readCursor, writeCursor } from './page-cursor.js';
import { readFilters, readLimit } from './read-filters.js';
import { RequireHistoryGuard } from './require-history.guard.js';
import { viewerOf } from './viewer-of-caller.js';
import { RequestCaller } from '../access/request-caller.js';

const DAY_MS = 86_400_000;

/** With these records, an operator decides about past traffic again, on another machine. */
@ApiTags('History')
@Controller('/v1/access')
@UseGuards(RequireHistoryGuard)
export class DecisionsController {
  constructor(
    private readonly history: HistoryClient,
    @Inject(GATEWAY_CONFIG)
    private readonly config: GatewayConfig,
  ) {}

  @Get('decisions')
  @RequireRole(READERS)
  @Admission('records')
  @ErrorCodes('INVALID_REQUEST', 'HISTORY_OFF', 'HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'listDecisions',
    summary: 'Recorded access decisions, oldest first',
    description:
      'Sponsored transactions, and requests that the access rules refused, with their transactions. A page ends with the record that exceeds 256 KiB of transactions.',
  })
  @ApiOkResponse({ description: 'A page.', type: DecisionsResponse })
  async list(
    @RequestCaller() caller: Caller,
    @Query() query: DecisionsQuery,
  ): Promise<DecisionsResponse> {
    const { cursor } = query;
    const period = periodOf(caller, query);
    const { viewer, ...filters } = period;
    const paged = { list: 'decisions', viewer, filters } as const;
    const { data, next } = await this.history.readTraffic({
      ...period,
      limit: readLimit(query),
      ...(cursor !== undefined && { after: readCursor(paged, cursor) }),
    });
    const { allowAbstractAccounts, maxGasPriceRatio } = this.config;
    return {
      result: {
        data,
        next_cursor: next === null ? null : writeCursor(paged, next),
        settings: {
          allow_abstract_accounts: allowAbstractAccounts,
          max_gas_price_ratio: maxGasPriceRatio,
        },
      },
    };
  }

  @Get('decisions/missing')
  @RequireRole(READERS)
  @Admission('records')
  @ErrorCodes('INVALID_REQUEST', 'HISTORY_OFF', 'HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'countMissingDecisions',
    summary: 'Records about whose decisions nothing is kept',
    description:
      'Numbers of sponsored transactions, and of requests that the access rules refused, of at most a day.',
  })
  @ApiOkResponse({ description: 'The numbers.', type: MissingDecisionsResponse })
  async count(
    @RequestCaller() caller: Caller,
    @Query() query: DecisionPeriodQuery,
  ): Promise<MissingDecisionsResponse> {
    const period = periodOf(caller, query);
    if (period.to - period.from > DAY_MS) {
      throw new ForecourtError('INVALID_REQUEST', 'from and to must be at most a day apart');
    }
    return { result: await this.history.countUntried(period) };
  }
}

/** Throws INVALID_REQUEST for a time that ends before it begins, or has no end. */
function periodOf(caller: Caller, { from, to, token }: DecisionPeriodQuery): TrafficPeriod {
  if (from === undefined || to === undefined) {
    throw new ForecourtError('INVALID_REQUEST', 'from and to are needed, in ms since 1970');
  }
  readFilters({ from, to });
  return {
    viewer: viewerOf(caller),
    from: Number(from),
    to: Number(to),
    ...(token !== undefined && { token }),
  };
}
