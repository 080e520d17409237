import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { ClientProxy } from '@nestjs/microservices';
import {
  DeliveryPageReply,
  type FindSponsorship,
  FindSponsorshipReply,
  ForecourtError,
  historyPatterns,
  LatencyReportReply,
  type ListDeliveries,
  type ListRecords,
  type ListWebhooks,
  type ReadLatency,
  RedeliverReply,
  type RedeliverWebhook,
  RefusalPageReply,
  type Sponsorship,
  SponsorshipPageReply,
  type SumUsage,
  type TestWebhook,
  UsageReportReply,
  WebhookAttemptReply,
  type WebhookDelivery,
  WebhookListReply,
  webhookPatterns,
} from '@forecourt/contracts';
import { inSpan } from '@forecourt/runtime/tracing';
import type { GatewayConfig } from '../gateway-config.js';
import {
  type Delivery,
  type ReplicaAddress,
  replicaInProcess,
  replicasAt,
  ServiceReplicas,
} from '../replicas/service-replicas.js';

export type HistorySettings = Pick<
  GatewayConfig,
  'historyEndpoints' | 'historyTimeoutMs' | 'fleetSecrets'
>;

/** The messages to history. All throw HISTORY_OFF without a configured history, and HISTORY_UNREACHABLE. */
@Injectable()
export class HistoryClient implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #replicas: ServiceReplicas | null;

  private constructor(replicas: readonly ReplicaAddress[], timeoutMs: number) {
    this.#replicas = replicas.length === 0 ? null : historyReplicas(replicas, timeoutMs);
  }

  /** `local`: the client of history in this process, which takes the place of the configured replicas. */
  static of(settings: HistorySettings, local?: ClientProxy): HistoryClient {
    const { historyEndpoints, historyTimeoutMs, fleetSecrets } = settings;
    const replicas = local ? replicaInProcess(local) : replicasAt(historyEndpoints, fleetSecrets);
    return new HistoryClient(replicas, historyTimeoutMs);
  }

  get isOn(): boolean {
    return this.#replicas !== null;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.#replicas?.connectAll();
  }

  onApplicationShutdown(): void {
    this.#replicas?.close();
  }

  /** Null: the database has none, or it is another viewer's. */
  async findSponsorship(message: FindSponsorship): Promise<Sponsorship | null> {
    const { findSponsorship } = historyPatterns;
    return (await this.send(findSponsorship, message, FindSponsorshipReply)).sponsorship ?? null;
  }

  listSponsorships(message: ListRecords): Promise<SponsorshipPageReply> {
    return this.send(historyPatterns.listSponsorships, message, SponsorshipPageReply);
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

  /** Throws WEBHOOK_UNKNOWN, INVALID_REQUEST. */
  async redeliver(message: RedeliverWebhook): Promise<WebhookDelivery> {
    return (await this.send(webhookPatterns.redeliver, message, RedeliverReply)).delivery;
  }

  private send<Reply extends object>(
    pattern: { readonly cmd: string },
    message: object,
    reply: new () => Reply,
    delivery: Delivery = 'repeatable',
  ): Promise<Reply> {
    const replicas = this.#replicas;
    if (replicas === null) return Promise.reject(new ForecourtError('HISTORY_OFF'));
    const send = () => replicas.send(pattern, message, reply, delivery);
    return inSpan(`history ${pattern.cmd}`, {}, send, 'CLIENT');
  }
}

function historyReplicas(replicas: readonly ReplicaAddress[], timeoutMs: number): ServiceReplicas {
  return new ServiceReplicas(replicas, {
    service: 'history',
    timeoutMs,
    unreachable: 'HISTORY_UNREACHABLE',
    resting: new Set(['HISTORY_UNREACHABLE']),
    othersMayServe: new Set(['HISTORY_UNREACHABLE']),
    outdated: (cmd, address, why) => {
      const cause = new Error(`History at ${address} is too old for the message ${cmd}: ${why}`);
      return new ForecourtError('HISTORY_UNREACHABLE', '', { cause });
    },
  });
}
