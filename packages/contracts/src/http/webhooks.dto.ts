import { ApiProperty } from '@nestjs/swagger';
import { TEST_EVENT, type WebhookEvent, webhookEvents } from '../history/webhook-events.js';
import {
  deliveryStatuses,
  type DeliveryStatus,
  type RedeliveredWaiting,
  type SentDelivery,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookStatus,
} from '../history/webhook-messages.js';
import { MAX_WEBHOOK_URL_LENGTH } from '../request-limits.js';
import { COUNT, TEXT_OR_NULL, TextField, TIME } from './fields.js';
import { IntegerParameter, OneOfParameter, TextParameter, TimeParameter } from './parameters.js';
import { CURSOR, RECORDS_LIMIT } from './records-query.dto.js';
import { NEXT_CURSOR } from './sponsorship.dto.js';

const URL_FORMAT = {
  maxLength: MAX_WEBHOOK_URL_LENGTH,
  format: [/^https?:\/\/\S+$/, 'the URL of a webhook'],
} as const;
const URL_EXAMPLE = 'https://shop.example/hooks';
const OWNER = {
  ...TEXT_OR_NULL,
  description: 'Name of the token that it belongs to; null: the fleet.',
  example: 'shop',
} as const;
const TIME_OR_NULL = { ...TIME, nullable: true, example: null } as const;

/** Body of `POST /v1/webhooks/test`. */
export class TestWebhookRequest {
  @TextField(URL_FORMAT, {
    description: 'As `GET /v1/webhooks` shows it.',
    example: URL_EXAMPLE,
  })
  url!: string;
}

/** Parameters of `GET /v1/webhook_deliveries`. */
export class DeliveriesQuery {
  @OneOfParameter(deliveryStatuses, 'Status of the delivery.') readonly status?: DeliveryStatus;
  @TextParameter(URL_FORMAT, 'The webhook, as `GET /v1/webhooks` shows it.') readonly url?: string;
  @TimeParameter('Earliest time of the event') readonly from?: string;
  @TimeParameter('Latest time of the event') readonly to?: string;

  @IntegerParameter(RECORDS_LIMIT.min, RECORDS_LIMIT.max, {
    description: 'The most deliveries of the page.',
    default: RECORDS_LIMIT.default,
  })
  readonly limit?: string;

  @TextParameter(CURSOR, '`next_cursor` of the page before, for the same filters.')
  readonly cursor?: string;
}

export class ConfiguredWebhook implements WebhookStatus {
  @ApiProperty(OWNER) readonly token!: string | null;
  @ApiProperty({ description: 'Without user name and password.', example: URL_EXAMPLE })
  readonly url!: string;

  @ApiProperty({ type: 'array', items: { enum: [...webhookEvents], type: 'string' } })
  readonly events!: readonly WebhookEvent[];

  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'It answered 410: it gets nothing until a test of it succeeds.',
  })
  readonly ended_at!: number | null;

  @ApiProperty(TIME_OR_NULL) readonly last_success_at!: number | null;
  @ApiProperty(TIME_OR_NULL) readonly last_failure_at!: number | null;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description:
      'Why the latest attempts failed; null: the last one was received, or the reason is not kept.',
    example: null,
  })
  readonly last_error!: string | null;

  @ApiProperty({ ...COUNT, description: 'Deliveries that will be tried again; at most 100000.' })
  readonly waiting!: number;
}

class ConfiguredWebhooks {
  @ApiProperty({ type: [ConfiguredWebhook] }) readonly webhooks!: readonly WebhookStatus[];
}

/** Answer of `GET /v1/webhooks`. */
export class WebhooksResponse {
  @ApiProperty() readonly result!: ConfiguredWebhooks;
}

class DeliveryAttempt implements WebhookAttempt {
  @ApiProperty(TIME) readonly at!: number;
  @ApiProperty(COUNT) readonly duration_ms!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Status of the answer; null: there was none.',
    example: 200,
  })
  readonly status!: number | null;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'Why it failed; null: it was received.',
    example: null,
  })
  readonly error!: string | null;

  @ApiProperty({ description: 'The first 1 KiB of the answer.', example: 'ok' })
  readonly answer!: string;
}

/** Answer of `POST /v1/webhooks/test`. */
export class TestWebhookResponse {
  @ApiProperty() readonly result!: DeliveryAttempt;
}

class Delivery implements WebhookDelivery {
  @ApiProperty({
    description: '`webhook-id` of the message, the same whenever it is repeated.',
    example: 'whd_0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  })
  readonly id!: string;

  @ApiProperty(OWNER) readonly token!: string | null;
  @ApiProperty({ example: URL_EXAMPLE }) readonly url!: string;

  @ApiProperty({ enum: [...webhookEvents, TEST_EVENT], example: webhookEvents[0] })
  readonly type!: WebhookDelivery['type'];

  @ApiProperty({ enum: deliveryStatuses, example: 'delivered' }) readonly status!: DeliveryStatus;
  @ApiProperty({ ...TIME, description: 'Time of the event.' }) readonly created_at!: number;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Null: there will be no further attempt.' })
  readonly next_attempt_at!: number | null;

  @ApiProperty({ type: [DeliveryAttempt], description: 'Oldest first, at most the latest 24.' })
  readonly attempts!: readonly WebhookAttempt[];
}

class Deliveries {
  @ApiProperty({ type: [Delivery], description: 'Newest first.' })
  readonly data!: readonly WebhookDelivery[];

  @ApiProperty(NEXT_CURSOR) readonly next_cursor!: string | null;
}

/** Answer of `GET /v1/webhook_deliveries`. */
export class DeliveriesResponse {
  @ApiProperty() readonly result!: Deliveries;
}

/** Answer of `POST /v1/webhook_deliveries/{id}/redeliver`. */
export class RedeliverResponse {
  @ApiProperty() readonly result!: Delivery;
}

class DeliveryWithBody extends Delivery implements SentDelivery {
  @ApiProperty({ description: 'The body of the message, JSON.', example: '{"type":"…"}' })
  readonly body!: string;
}

/** Answer of `GET /v1/webhook_deliveries/{id}`. */
export class DeliveryResponse {
  @ApiProperty() readonly result!: DeliveryWithBody;
}

/** Body of `POST /v1/webhooks/redeliver_waiting`. */
export class RedeliverWaitingRequest extends TestWebhookRequest {}

class RedeliveredDeliveries implements RedeliveredWaiting {
  @ApiProperty({ ...COUNT, description: 'Those that are due now.' }) readonly deliveries!: number;
}

/** Answer of `POST /v1/webhooks/redeliver_waiting`. */
export class RedeliverWaitingResponse {
  @ApiProperty() readonly result!: RedeliveredDeliveries;
}
