import { IsOptional } from 'class-validator';
import { IsDto, IsIntegerBetween, IsName, IsNatural, IsOneOf } from '../dto/index.js';
import { MAX_PAGE, type Page, Viewer } from './history-messages.js';
import type { TEST_EVENT, WebhookEvent } from './webhook-events.js';

/**
 * The gateway's messages to history about webhooks, with the errors of `historyPatterns`. A viewer without a
 * token sees all webhooks, with those of the fleet; a user's token sees none.
 */
export const webhookPatterns = {
  /** `ListWebhooks` → `WebhookList`. */
  listWebhooks: { cmd: 'list-webhooks' },
  /** `TestWebhook` → `WebhookAttempt`. Throws WEBHOOK_UNKNOWN, OVERLOADED while a test of it is running. */
  testWebhook: { cmd: 'test-webhook' },
  /** `ListDeliveries` → `DeliveryPage`, the newest first. */
  listDeliveries: { cmd: 'list-webhook-deliveries' },
  /** `FindDelivery` → `{ delivery: SentDelivery }`. Throws WEBHOOK_UNKNOWN. */
  findDelivery: { cmd: 'find-webhook-delivery' },
  /** `RedeliverWebhook` → `{ delivery: WebhookDelivery }` as it is afterwards. Throws WEBHOOK_UNKNOWN. */
  redeliver: { cmd: 'redeliver-webhook' },
  /** `RedeliverWaiting` → `RedeliveredWaiting`. Throws WEBHOOK_UNKNOWN, INVALID_REQUEST if it is ended. */
  redeliverWaiting: { cmd: 'redeliver-waiting' },
} as const;

export class ListWebhooks {
  @IsDto(Viewer) readonly viewer!: Viewer;
}

export interface WebhookList {
  readonly webhooks: readonly WebhookStatus[];
}

/** A configured webhook. Times are milliseconds since 1970. */
export interface WebhookStatus {
  /** Name of the token that it belongs to; null: the fleet. */
  readonly token: string | null;
  /** Without user name and password. */
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** Answered 410: nothing is sent until a test of it succeeds. */
  readonly ended_at: number | null;
  readonly last_success_at: number | null;
  readonly last_failure_at: number | null;
  /** Why the latest attempts failed; null: the last one was received, or nothing is known of it. */
  readonly last_error: string | null;
  /** Deliveries that have not been received and will be tried again; at most `MAX_COUNTED_WAITING`. */
  readonly waiting: number;
}

/** More waiting deliveries than this are not counted. */
export const MAX_COUNTED_WAITING = 100_000;

export class TestWebhook {
  @IsDto(Viewer) readonly viewer!: Viewer;

  /** As `WebhookStatus` shows it. */
  @IsName() readonly url!: string;
}

/** One attempt to deliver. */
export interface WebhookAttempt {
  readonly at: number;
  readonly duration_ms: number;
  /** Status of the answer; null: there was none. */
  readonly status: number | null;
  /** Why the attempt failed; null: it was received. */
  readonly error: string | null;
  /** The first `KEPT_ANSWER_BYTES` of the answer. */
  readonly answer: string;
}

export const KEPT_ANSWER_BYTES = 1_024;

export const deliveryStatuses = ['waiting', 'delivered', 'undelivered'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One message to one webhook. */
export interface WebhookDelivery {
  /** `webhook-id` of the message: the same with every repetition. */
  readonly id: string;
  readonly token: string | null;
  readonly url: string;
  readonly type: WebhookEvent | typeof TEST_EVENT;
  readonly status: DeliveryStatus;
  readonly created_at: number;
  /** The earliest time of the next attempt; null: there will be none. */
  readonly next_attempt_at: number | null;
  /** Oldest first, at most the latest `MAX_SHOWN_ATTEMPTS`. */
  readonly attempts: readonly WebhookAttempt[];
}

export const MAX_SHOWN_ATTEMPTS = 24;

/** Combined by and; all optional. Times are inclusive. */
export class DeliveryFilters {
  @IsOptional() @IsOneOf(deliveryStatuses) readonly status?: DeliveryStatus;
  @IsOptional() @IsName() readonly url?: string;
  @IsOptional() @IsNatural() readonly from?: number;
  @IsOptional() @IsNatural() readonly to?: number;
}

export class ListDeliveries {
  @IsDto(Viewer) readonly viewer!: Viewer;
  @IsDto(DeliveryFilters) readonly filters!: DeliveryFilters;
  @IsIntegerBetween(1, MAX_PAGE) readonly limit!: number;

  /** `Page.next` of the page before; absent: from the newest. */
  @IsOptional() @IsName() readonly before?: string;
}

export type DeliveryPage = Page<WebhookDelivery>;

export class RedeliverWebhook {
  @IsDto(Viewer) readonly viewer!: Viewer;
  @IsName() readonly id!: string;
}

export class FindDelivery extends RedeliverWebhook {}

/** A delivery with its message. */
export interface SentDelivery extends WebhookDelivery {
  /** The body of the message, JSON. */
  readonly body: string;
}

/** Those of one webhook, as if they were new. */
export class RedeliverWaiting extends TestWebhook {}

export interface RedeliveredWaiting {
  /** Deliveries that are due now. */
  readonly deliveries: number;
}
