import { IsArray, IsObject, IsOptional } from 'class-validator';
import { IsName, IsNatural, IsText } from '../dto/index.js';
import type { LatencyFigures, LatencyReport, LatencyUnit } from './latency-messages.js';
import type {
  DroppedRefusals,
  ListedRefusal,
  RefusalPage,
  SponsorshipPage,
  UsageCorrection,
  UsageFigures,
  UsageKey,
  UsageReport,
  UsageRow,
} from './history-messages.js';
import type { ListedSponsorship } from './sponsorship.js';
import type {
  DeliveryPage,
  RedeliveredWaiting,
  SentDelivery,
  WebhookAttempt,
  WebhookDelivery,
  WebhookList,
  WebhookStatus,
} from './webhook-messages.js';

// The replies of history, which gateways trust: records are not validated field by field.

/** The reply of history to `list-sponsorships`. */
export class SponsorshipPageReply implements SponsorshipPage {
  @IsArray() readonly data!: readonly ListedSponsorship[];
  @IsOptional() @IsName() readonly next!: string | null;
  @IsNatural() readonly missing!: number;
}

/** The reply to `count-sponsorships`: those in the database, counted up to `MAX_COUNTED` + 1. */
export class SponsorshipCountReply {
  @IsNatural() readonly count!: number;
}

/** The reply to `list-refusals`. */
export class RefusalPageReply implements RefusalPage {
  @IsArray() readonly data!: readonly ListedRefusal[];
  @IsOptional() @IsName() readonly next!: string | null;
  @IsArray() readonly dropped!: readonly DroppedRefusals[];
}

/** The reply to `sum-usage`. */
export class UsageReportReply implements UsageReport {
  @IsNatural() readonly from!: number;
  @IsNatural() readonly to!: number;
  @IsArray() readonly group_by!: readonly UsageKey[];
  @IsArray() readonly rows!: readonly UsageRow[];
  @IsObject() readonly total!: UsageFigures;
  @IsArray() readonly corrections!: readonly UsageCorrection[];
}

/** The reply to `read-latency`. */
export class LatencyReportReply implements LatencyReport {
  @IsNatural() readonly from!: number;
  @IsNatural() readonly to!: number;
  @IsName() readonly by!: LatencyUnit;
  @IsArray() readonly rows!: LatencyReport['rows'];
  @IsObject() readonly total!: LatencyFigures;
}

/** The reply to `list-webhooks`. */
export class WebhookListReply implements WebhookList {
  @IsArray() readonly webhooks!: readonly WebhookStatus[];
}

/** The reply to `test-webhook`. */
export class WebhookAttemptReply implements WebhookAttempt {
  @IsNatural() readonly at!: number;
  @IsNatural() readonly duration_ms!: number;
  @IsOptional() @IsNatural() readonly status!: number | null;
  @IsOptional() @IsName() readonly error!: string | null;
  @IsText({ minLength: 0 }) readonly answer!: string;
}

/** The reply to `list-webhook-deliveries`. */
export class DeliveryPageReply implements DeliveryPage {
  @IsArray() readonly data!: readonly WebhookDelivery[];
  @IsOptional() @IsName() readonly next!: string | null;
}

/** The reply to `redeliver-webhook`. */
export class RedeliverReply {
  @IsObject() readonly delivery!: WebhookDelivery;
}

/** The reply to `find-webhook-delivery`. */
export class FindDeliveryReply {
  @IsObject() readonly delivery!: SentDelivery;
}

/** The reply to `redeliver-waiting`. */
export class RedeliveredWaitingReply implements RedeliveredWaiting {
  @IsNatural() readonly deliveries!: number;
}
