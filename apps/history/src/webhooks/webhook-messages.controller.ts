import { Controller, UseFilters, UsePipes } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  type DeliveryPage,
  FindDelivery,
  ListDeliveries,
  ListWebhooks,
  type RedeliveredWaiting,
  RedeliverWaiting,
  RedeliverWebhook,
  type SentDelivery,
  TestWebhook,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookList,
  webhookPatterns,
} from '@forecourt/contracts';
import { ReadMessage } from '@forecourt/runtime/transport';
import { FairAnswers } from '../database/fair-answers.js';
import { HistoryErrorFilter } from '../database/history-error.filter.js';
import { Webhooks } from './webhooks.js';

/** The messages of gateways about webhooks: one handler each. */
@Controller()
@UseFilters(HistoryErrorFilter)
@UsePipes(ReadMessage)
export class WebhookMessagesController {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly fair: FairAnswers,
  ) {}

  @MessagePattern(webhookPatterns.listWebhooks)
  list(@Payload() message: ListWebhooks): Promise<WebhookList> {
    return this.fair.answer(message.viewer, () => this.webhooks.answers.list(message));
  }

  @MessagePattern(webhookPatterns.testWebhook)
  test(@Payload() message: TestWebhook): Promise<WebhookAttempt> {
    return this.webhooks.answers.test(message);
  }

  @MessagePattern(webhookPatterns.listDeliveries)
  listDeliveries(@Payload() message: ListDeliveries): Promise<DeliveryPage> {
    return this.fair.answer(message.viewer, () => this.webhooks.answers.listDeliveries(message));
  }

  @MessagePattern(webhookPatterns.findDelivery)
  async find(@Payload() message: FindDelivery): Promise<{ readonly delivery: SentDelivery }> {
    const find = () => this.webhooks.answers.findDelivery(message);
    return { delivery: await this.fair.answer(message.viewer, find) };
  }

  @MessagePattern(webhookPatterns.redeliverWaiting)
  redeliverWaiting(@Payload() message: RedeliverWaiting): Promise<RedeliveredWaiting> {
    return this.fair.answer(message.viewer, () => this.webhooks.answers.redeliverWaiting(message));
  }

  @MessagePattern(webhookPatterns.redeliver)
  async redeliver(
    @Payload() message: RedeliverWebhook,
  ): Promise<{ readonly delivery: WebhookDelivery }> {
    const redeliver = () => this.webhooks.answers.redeliver(message);
    return { delivery: await this.fair.answer(message.viewer, redeliver) };
  }
}
