import { Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { DeliveryFilters } from '@forecourt/contracts';
import {
  DeliveriesQuery,
  DeliveriesResponse,
  DeliveryResponse,
  RedeliverResponse,
} from '@forecourt/contracts/http';
import { type Caller, roles } from '@forecourt/policy/tokens';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { HistoryClient } from '../history/history-client.js';
import { readCursor, writeCursor } from '../history/page-cursor.js';
import { readLimit, requireOrder } from '../history/read-filters.js';
import { RequireHistoryGuard } from '../history/require-history.guard.js';
import { actorOf, viewerOf } from '../history/viewer-of-caller.js';
import { RequestCaller } from '../access/request-caller.js';

@ApiTags('Webhooks')
@Controller('/v1/webhook_deliveries')
@UseGuards(RequireHistoryGuard)
export class WebhookDeliveriesController {
  constructor(private readonly history: HistoryClient) {}

  @Get()
  @RequireRole(roles)
  @Admission('records')
  @ErrorCodes('INVALID_REQUEST', 'HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'Deliveries to webhooks with their attempts, newest first',
    description: 'All given filters must match.',
  })
  @ApiOkResponse({ description: 'A page.', type: DeliveriesResponse })
  async list(
    @RequestCaller() caller: Caller,
    @Query() query: DeliveriesQuery,
  ): Promise<DeliveriesResponse> {
    const viewer = viewerOf(caller);
    const filters = readDeliveryFilters(query);
    const paged = { list: 'webhook deliveries', viewer, filters } as const;
    const { cursor } = query;
    const { data, next } = await this.history.listDeliveries({
      viewer,
      filters,
      limit: readLimit(query),
      ...(cursor !== undefined && { before: readCursor(paged, cursor) }),
    });
    return { result: { data, next_cursor: next === null ? null : writeCursor(paged, next) } };
  }

  @Get(':id')
  @RequireRole(roles)
  @Admission('records')
  @ErrorCodes('WEBHOOK_UNKNOWN', 'HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'getWebhookDelivery',
    summary: 'A delivery with its message',
    description: 'Callers see those of their token, users none; operators and auditors all.',
  })
  @ApiParam({
    name: 'id',
    schema: { type: 'string' },
    example: 'whd_0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  })
  @ApiOkResponse({ description: 'The delivery.', type: DeliveryResponse })
  async find(@RequestCaller() caller: Caller, @Param('id') id: string): Promise<DeliveryResponse> {
    return { result: await this.history.findDelivery({ viewer: viewerOf(caller), id }) };
  }

  @Post(':id/redeliver')
  @HttpCode(200)
  @RequireRole(['sponsor', 'operator'])
  @Admission('records')
  @ErrorCodes('INVALID_REQUEST', 'WEBHOOK_UNKNOWN', 'HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'redeliverWebhook',
    summary: 'Deliver again',
    description:
      'With the same id, now, and then like a new delivery until it is received. The answer shows the delivery before the attempt.',
  })
  @ApiParam({
    name: 'id',
    schema: { type: 'string' },
    example: 'whd_0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  })
  @ApiOkResponse({ description: 'The delivery.', type: RedeliverResponse })
  async redeliver(
    @RequestCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<RedeliverResponse> {
    return { result: await this.history.redeliver({ viewer: actorOf(caller), id }) };
  }
}

/** Throws INVALID_REQUEST for a time that ends before it begins. */
function readDeliveryFilters({ status, url, from, to }: DeliveriesQuery): DeliveryFilters {
  const filters = {
    ...(status !== undefined && { status }),
    ...(url !== undefined && { url }),
    ...(from !== undefined && { from: Number(from) }),
    ...(to !== undefined && { to: Number(to) }),
  };
  requireOrder(filters);
  return filters;
}
