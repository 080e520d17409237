import type { MessageClient } from '@forecourt/runtime/transport';
import {
  type CountSponsorships,
  DeliveryPageReply,
  type FindSponsorship,
  FindSponsorshipReply,
  ForecourtError,
  historyPatterns,
  LatencyReportReply,
  type FindDelivery,
  FindDeliveryReply,
  type ListDeliveries,
  type ListRecords,
  type ListWebhooks,
  type ReadLatency,
  type ReadTraffic,
  RedeliveredWaitingReply,
  RedeliverReply,
  type RedeliverWaiting,
  type RedeliverWebhook,
  RefusalPageReply,
  type Sponsorship,
  SponsorshipCountReply,
  SponsorshipPageReply,
  type SumUsage,
  type TestWebhook,
  TrafficPageReply,
  type TrafficPeriod,
  UntriedCountReply,
  UsageReportReply,
  WebhookAttemptReply,
  type SentDelivery,
  type WebhookDelivery,
  WebhookListReply,
  webhookPatterns,
} from '@forecourt/contracts';
import type { GatewayConfig } from '../gateway-config.js';
import { type Delivery, type DeliveryRules, ServiceClient } from '../replicas/service-client.js';

/** The messages to history. All throw HISTORY_OFF without a configured history, and HISTORY_UNREACHABLE. */
export class HistoryClient extends ServiceClient {
  readonly isOn: boolean;

  /** `local`: history in this process, which takes the place of the configured replicas. */
  constructor(
    { historyEndpoints, historyTimeoutMs, fleetSecrets }: GatewayConfig,
    local?: MessageClient,
  ) {
    const rules: DeliveryRules = {
      span: 'history',
      service: 'history',
      timeoutMs: historyTimeoutMs,
      unreachable: 'HISTORY_UNREACHABLE',
      resting: new Set(['HISTORY_UNREACHABLE']),
      othersMayServe: new Set(['HISTORY_UNREACHABLE']),
      outdated,
    };
    super(rules, { endpoints: historyEndpoints, fleetSecrets, local });
    this.isOn = local !== undefined || historyEndpoints.length > 0;
  }

  /** Null: the database has none, or it is another viewer's. */
  async findSponsorship(message: FindSponsorship): Promise<Sponsorship | null> {
    const { findSponsorship } = historyPatterns;
    return (await this.send(findSponsorship, message, FindSponsorshipReply)).sponsorship ?? null;
  }

  listSponsorships(message: ListRecords): Promise<SponsorshipPageReply> {
    return this.send(historyPatterns.listSponsorships, message, SponsorshipPageReply);
  }

  countSponsorships(message: CountSponsorships): Promise<SponsorshipCountReply> {
    return this.send(historyPatterns.countSponsorships, message, SponsorshipCountReply);
  }

  listRefusals(message: ListRecords): Promise<RefusalPageReply> {
    return this.send(historyPatterns.listRefusals, message, RefusalPageReply);
  }

  sumUsage(message: SumUsage): Promise<UsageReportReply> {
    return this.send(historyPatterns.sumUsage, message, UsageReportReply);
  }

  readLatency(message: ReadLatency): Promise<LatencyReportReply> {
    return this.send(historyPatterns.readLatency, message, LatencyReportReply);
  }

  readTraffic(message: ReadTraffic): Promise<TrafficPageReply> {
    return this.send(historyPatterns.readTraffic, message, TrafficPageReply);
  }

  countUntried(message: TrafficPeriod): Promise<UntriedCountReply> {
    return this.send(historyPatterns.countUntried, message, UntriedCountReply);
  }

  listWebhooks(message: ListWebhooks): Promise<WebhookListReply> {
    return this.send(webhookPatterns.listWebhooks, message, WebhookListReply);
  }

  /** Throws WEBHOOK_UNKNOWN, INVALID_REQUEST, OVERLOADED. */
  testWebhook(message: TestWebhook): Promise<WebhookAttemptReply> {
    return this.send(webhookPatterns.testWebhook, message, WebhookAttemptReply, 'once');
  }

  listDeliveries(message: ListDeliveries): Promise<DeliveryPageReply> {
    return this.send(webhookPatterns.listDeliveries, message, DeliveryPageReply);
  }

  /** Throws WEBHOOK_UNKNOWN. */
  async findDelivery(message: FindDelivery): Promise<SentDelivery> {
    return (await this.send(webhookPatterns.findDelivery, message, FindDeliveryReply)).delivery;
  }

  /** Throws WEBHOOK_UNKNOWN, INVALID_REQUEST. */
  redeliverWaiting(message: RedeliverWaiting): Promise<RedeliveredWaitingReply> {
    return this.send(webhookPatterns.redeliverWaiting, message, RedeliveredWaitingReply);
  }

  /** Throws WEBHOOK_UNKNOWN, INVALID_REQUEST. */
  async redeliver(message: RedeliverWebhook): Promise<WebhookDelivery> {
    return (await this.send(webhookPatterns.redeliver, message, RedeliverReply)).delivery;
  }

  protected override send<Reply extends object>(
    pattern: { readonly cmd: string },
    message: object,
    reply: new () => Reply,
    delivery?: Delivery,
  ): Promise<Reply> {
    if (!this.isOn) return Promise.reject(new ForecourtError('HISTORY_OFF'));
    return super.send(pattern, message, reply, delivery);
  }
}

function outdated(cmd: string, address: string, why: string): ForecourtError {
  const cause = new Error(`History at ${address} is too old for the message ${cmd}: ${why}`);
  return new ForecourtError('HISTORY_UNREACHABLE', '', { cause });
}
