import { Module } from '@nestjs/common';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhooksController } from './webhooks.controller.js';

/** The routes about webhooks; the module of history provides its client. */
@Module({ controllers: [WebhooksController, WebhookDeliveriesController] })
export class WebhooksModule {}
