import { randomUUID } from 'node:crypto';
import {
  type DeliveryPage,
  type FindDelivery,
  ForecourtError,
  type ListDeliveries,
  type ListWebhooks,
  type RedeliveredWaiting,
  type RedeliverWaiting,
  type RedeliverWebhook,
  type SentDelivery,
  TEST_EVENT,
  type TestWebhook,
  type Viewer,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookList,
} from '@forecourt/contracts';
import type { DeliveryQueue } from './delivery-queue.js';
import type { Receiver, WebhookDirectory } from './webhook-directory.js';
import { type WebhookSender, writeBody } from './webhook-sender.js';
import { WebhookRecords } from './webhook-records.js';

const NO_DELIVERIES: DeliveryPage = { data: [], next: null };

/** Answers what viewers ask about their webhooks, tests them and has deliveries repeated. */
export class WebhookAnswers {
  readonly #tested = new Set<string>();

  constructor(
    private readonly directory: WebhookDirectory,
    private readonly records: WebhookRecords,
    private readonly sender: WebhookSender,
    private readonly queue: DeliveryQueue,
  ) {}

  async list({ viewer }: ListWebhooks): Promise<WebhookList> {
    const receivers = this.receiversOf(viewer);
    const records = await this.records.findReceivers(receivers.map(({ id }) => id));
    const webhooks = receivers.map(({ token, shownUrl, events }, index) => {
      const { ended_at, last_success_at, last_failure_at, last_error, waiting } = records[index]!;
      const times = { ended_at, last_success_at, last_failure_at };
      return { token, url: shownUrl, events, ...times, last_error, waiting };
    });
    return { webhooks };
  }

  /**
   * Sends a test now, and switches a webhook that answered 410 on again if it is received. Throws
   * WEBHOOK_UNKNOWN, INVALID_REQUEST if several tokens have the URL, OVERLOADED while a test of the same
   * webhook is running.
   */
  async test({ viewer, url }: TestWebhook): Promise<WebhookAttempt> {
    const receiver = this.requireReceiver(viewer, url);
    if (this.#tested.has(receiver.id)) throw new ForecourtError('OVERLOADED');
    this.#tested.add(receiver.id);
    try {
      const body = writeBody(TEST_EVENT, Date.now(), { url: receiver.shownUrl });
      const attempt = await this.sender.send(receiver, { id: `whd_test_${randomUUID()}`, body });
      if (attempt.error === null) await this.records.revive(receiver);
      return attempt;
    } finally {
      this.#tested.delete(receiver.id);
    }
  }

  async listDeliveries(message: ListDeliveries): Promise<DeliveryPage> {
    const { viewer, filters, limit, before } = message;
    if (isUser(viewer)) return NO_DELIVERIES;
    return this.records.listDeliveries(viewer.token, filters, limit, before);
  }

  /** Throws WEBHOOK_UNKNOWN. */
  async findDelivery({ viewer, id }: FindDelivery): Promise<SentDelivery> {
    const delivery = isUser(viewer) ? null : await this.records.findDelivery(viewer.token, id);
    const body = delivery && (await this.records.findBody(id));
    if (delivery === null || body === null) throw new ForecourtError('WEBHOOK_UNKNOWN', id);
    return { ...delivery, body };
  }

  /**
   * Makes everything that waits for a webhook due now. Throws WEBHOOK_UNKNOWN, INVALID_REQUEST if several
   * tokens have the URL, or it answered 410.
   */
  async redeliverWaiting({ viewer, url }: RedeliverWaiting): Promise<RedeliveredWaiting> {
    const { id } = this.requireReceiver(viewer, url);
    await this.requireNotEnded(id, url);
    const deliveries = await this.records.redeliverWaiting(id);
    await this.queue.wake([id]);
    return { deliveries };
  }

  /** Throws WEBHOOK_UNKNOWN, INVALID_REQUEST for a webhook that no longer gets anything. */
  async redeliver({ viewer, id }: RedeliverWebhook): Promise<WebhookDelivery> {
    const delivery = isUser(viewer) ? null : await this.records.findDelivery(viewer.token, id);
    if (delivery === null) throw new ForecourtError('WEBHOOK_UNKNOWN', id);
    const receiver = this.directory.find((await this.records.findReceiverOf(id))!);
    if (receiver === undefined) {
      throw new ForecourtError(
        'INVALID_REQUEST',
        `The webhook ${delivery.url} is no longer configured`,
      );
    }
    await this.requireNotEnded(receiver.id, delivery.url);
    await this.records.redeliver(id, receiver.id);
    await this.queue.wake([receiver.id]);
    return (await this.records.findDelivery(viewer.token, id))!;
  }

  private async requireNotEnded(receiver: string, url: string): Promise<void> {
    const [record] = await this.records.findReceivers([receiver]);
    if (record!.ended_at === null) return;
    const remedy = 'switch it on again with POST /v1/webhooks/test';
    throw new ForecourtError('INVALID_REQUEST', `The webhook ${url} answered 410: ${remedy}`);
  }

  private receiversOf(viewer: Viewer): readonly Receiver[] {
    if (isUser(viewer)) return [];
    const { all } = this.directory;
    return viewer.token === null ? all : all.filter(({ token }) => token === viewer.token);
  }

  private requireReceiver(viewer: Viewer, url: string): Receiver {
    const matching = this.receiversOf(viewer).filter(({ shownUrl }) => shownUrl === url);
    const [only, ...others] = matching;
    if (only === undefined) throw new ForecourtError('WEBHOOK_UNKNOWN', url);
    // The fleet's own comes first.
    const ofFleet = matching.find(({ token }) => token === null);
    if (others.length === 0 || ofFleet) return ofFleet ?? only;
    const tokens = matching.map(({ token }) => token).join(', ');
    throw new ForecourtError(
      'INVALID_REQUEST',
      `Several tokens have the webhook ${url}: ask with one of ${tokens}`,
    );
  }
}

/** A token that its application has given to a user does not act for the application. */
function isUser({ user }: Viewer): boolean {
  return (user ?? null) !== null;
}
