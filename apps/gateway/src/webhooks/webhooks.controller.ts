import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MAX_WEBHOOK_BODY } from '@forecourt/contracts';
import {
  RedeliverWaitingRequest,
  RedeliverWaitingResponse,
  TestWebhookRequest,
  TestWebhookResponse,
  WebhooksResponse,
} from '@forecourt/contracts/http';
import { type Caller, roles } from '@forecourt/policy/tokens';
import { MostBodyBytes } from '@forecourt/runtime/service';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { HistoryClient } from '../history/history-client.js';
import { RequireHistoryGuard } from '../history/require-history.guard.js';
import { actorOf, viewerOf } from '../history/viewer-of-caller.js';
import { RequestCaller } from '../access/request-caller.js';

@ApiTags('Webhooks')
@Controller('/v1/webhooks')
@UseGuards(RequireHistoryGuard)
export class WebhooksController {
  constructor(private readonly history: HistoryClient) {}

  @Get()
  @RequireRole(roles)
  @Admission('records')
  @ErrorCodes('HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'listWebhooks',
    summary: 'The configured webhooks and their state',
    description:
      'Callers see those of their token, users none; operators and auditors all, with those of the fleet.',
  })
  @ApiOkResponse({ description: 'The webhooks.', type: WebhooksResponse })
  async list(@RequestCaller() caller: Caller): Promise<WebhooksResponse> {
    return { result: await this.history.listWebhooks({ viewer: viewerOf(caller) }) };
  }

  @Post('test')
  @HttpCode(200)
  @RequireRole(['sponsor', 'operator'])
  @Admission('wait')
  @MostBodyBytes(MAX_WEBHOOK_BODY)
  @ErrorCodes('INVALID_REQUEST', 'WEBHOOK_UNKNOWN', 'HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send the event webhook.test to a webhook now',
    description:
      'Answers with what the receiver has answered. Success switches a webhook that had answered 410 on again.',
  })
  @ApiOkResponse({ description: 'The attempt.', type: TestWebhookResponse })
  async test(
    @RequestCaller() caller: Caller,
    @Body() { url }: TestWebhookRequest,
  ): Promise<TestWebhookResponse> {
    return { result: await this.history.testWebhook({ viewer: actorOf(caller), url }) };
  }

  @Post('redeliver_waiting')
  @HttpCode(200)
  @RequireRole(['sponsor', 'operator'])
  @Admission('records')
  @MostBodyBytes(MAX_WEBHOOK_BODY)
  @ErrorCodes('INVALID_REQUEST', 'WEBHOOK_UNKNOWN', 'HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'redeliverWaiting',
    summary: 'Deliver everything that waits for a webhook now',
    description: 'With the same ids, and then like new deliveries until they are received.',
  })
  @ApiOkResponse({ description: 'Their number.', type: RedeliverWaitingResponse })
  async redeliverWaiting(
    @RequestCaller() caller: Caller,
    @Body() { url }: RedeliverWaitingRequest,
  ): Promise<RedeliverWaitingResponse> {
    return { result: await this.history.redeliverWaiting({ viewer: actorOf(caller), url }) };
  }
}
