import { randomUUID } from 'node:crypto';
import {
  type DeliveryPage,
  ForecourtError,
  type ListDeliveries,
  type ListWebhooks,
  type RedeliverWebhook,
  TEST_EVENT,
  type TestWebhook,
  type Viewer,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookList,
} from '@forecourt/contracts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.js';
import type { Receiver } from '../deliveries/receiver.js';
import { writeBody } from '../sending/signed-message.js';
import type { WebhookSender } from '../sending/webhook-sender.js';
import type { WebhookDirectory } from '../webhook-directory.js';
import type { WebhookRecords } from './webhook-records.js';

const NO_DELIVERIES: DeliveryPage = { data: [], next: null };

/** Answers what viewers ask about their webhooks, tests them and has deliveries repeated. */
export class WebhookAnswers {
  readonly #tested = new Set<string>();

  constructor(
    private readonly directory: Pick<WebhookDirectory, 'all' | 'find'>,
    private readonly records: WebhookRecords,
    private readonly sender: Pick<WebhookSender, 'send'>,
    private readonly queue: Pick<DeliveryQueue, 'wake'>,
  ) {}

  async list({ viewer }: ListWebhooks): Promise<WebhookList> {
    const receivers = this.receiversOf(viewer);
    const records = await this.records.findReceivers(receivers.map(({ id }) => id));
    const webhooks = receivers.map(({ token, shownUrl, events }, index) => {
      const { ended_at, last_success_at, last_failure_at, waiting } = records[index]!;
      return { token, url: shownUrl, events, ended_at, last_success_at, last_failure_at, waiting };
    });
    return { webhooks };
  }

  /**
   * Sends a test now, and switches a webhook that answered 410 on again if it is received. Throws WEBHOOK_UNKNOWN,
   * INVALID_REQUEST if several tokens have the URL, OVERLOADED while a test of the same webhook is running.
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

  /** Throws WEBHOOK_UNKNOWN, INVALID_REQUEST for a webhook that no longer gets anything. */
  async redeliver({ viewer, id }: RedeliverWebhook): Promise<WebhookDelivery> {
    const found = isUser(viewer) ? null : await this.records.findDelivery(viewer.token, id);
    if (found === null) throw new ForecourtError('WEBHOOK_UNKNOWN', id);
    const receiver = this.directory.find((await this.records.findReceiverOf(id))!);
    if (receiver === undefined) {
      throw new ForecourtError(
        'INVALID_REQUEST',
        `The webhook ${found.url} is no longer configured`,
      );
    }
    const [record] = await this.records.findReceivers([receiver.id]);
    if (record!.ended_at !== null) {
      const remedy = 'switch it on again with POST /v1/webhooks/test';
      throw new ForecourtError(
        'INVALID_REQUEST',
        `The webhook ${found.url} answered 410: ${remedy}`,
      );
    }
    await this.records.redeliver(id, receiver.id);
    await this.queue.wake([receiver.id]);
    return (await this.records.findDelivery(viewer.token, id))!;
  }

  private receiversOf(viewer: Viewer): readonly Receiver[] {
    if (isUser(viewer)) return [];
    const { all } = this.directory;
    return viewer.token === null ? all : all.filter(({ token }) => token === viewer.token);
  }

  private requireReceiver(viewer: Viewer, url: string): Receiver {
    const found = this.receiversOf(viewer).filter(({ shownUrl }) => shownUrl === url);
    const [only, ...others] = found;
    if (only === undefined) throw new ForecourtError('WEBHOOK_UNKNOWN', url);
    // The fleet's own comes first.
    const ofFleet = found.find(({ token }) => token === null);
    if (others.length === 0 || ofFleet) return ofFleet ?? only;
    const tokens = found.map(({ token }) => token).join(', ');
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
