import { randomUUID } from 'node:crypto';
import {
  type DeliveryFilters,
  type DeliveryPage,
  type FindDelivery,
  ForecourtError,
  type ListDeliveries,
  type ListWebhooks,
  MAX_COUNTED_WAITING,
  MAX_SHOWN_ATTEMPTS,
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
  type WebhookStatus,
} from '@forecourt/contracts';
import { DELIVER_WITHIN_MS, type Queryable } from './delivery-outbox.js';
import type { DeliveryQueue } from './delivery-queue.js';
import type { Receiver, WebhookDirectory } from './webhook-directory.js';
import { type WebhookSender, writeBody } from './webhook-sender.js';

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

/** Facts about a receiver besides its configuration. */
type ReceiverRecord = Pick<
  WebhookStatus,
  'ended_at' | 'last_success_at' | 'last_failure_at' | 'last_error' | 'waiting'
> & { readonly id: string };

/** Whose deliveries are asked for; null: everyone's. */
type Owner = string | null;

/** A place in the list of deliveries: those before it are older. */
interface Place {
  readonly createdAt: number;
  readonly id: string;
}

/** Receivers and deliveries as people ask for them. */
export class WebhookRecords {
  constructor(private readonly database: Queryable) {}

  /** One for each id, in their order. */
  async findReceivers(ids: readonly string[]): Promise<readonly ReceiverRecord[]> {
    const { rows } = await this.database.query(FIND_RECEIVERS, [ids, MAX_COUNTED_WAITING]);
    return rows.map((row) => (row as { receiver: ReceiverRecord }).receiver);
  }

  /** Newest first. `before`: `next` of the page before. */
  async listDeliveries(
    owner: Owner,
    filters: DeliveryFilters,
    limit: number,
    before?: string,
  ): Promise<DeliveryPage> {
    const { status = null, url = null, from = null, to = null } = filters;
    const place = before === undefined ? null : readPlace(before);
    const { rows } = await this.database.query(LIST_DELIVERIES, [
      owner,
      status,
      url,
      from,
      to,
      place?.createdAt ?? null,
      place?.id ?? null,
      limit + 1,
      MAX_SHOWN_ATTEMPTS,
    ]);
    const deliveries = rows.map(toDelivery);
    const data = deliveries.slice(0, limit);
    const last = data.at(-1);
    return { data, next: deliveries.length > limit && last ? writePlace(last) : null };
  }

  /** Null: the owner has no such delivery. */
  async findDelivery(owner: Owner, id: string): Promise<WebhookDelivery | null> {
    const { rows } = await this.database.query(FIND_DELIVERY, [owner, id, MAX_SHOWN_ATTEMPTS]);
    return rows.length === 0 ? null : toDelivery(rows[0]);
  }

  /** The message of a delivery, JSON. */
  async findBody(id: string): Promise<string | null> {
    const text = 'select body from webhook_deliveries where id = $1';
    const { rows } = await this.database.query(text, [id]);
    return (rows[0] as { body: string } | undefined)?.body ?? null;
  }

  /**
   * Makes what waits for a receiver due now, as if it were new, and ends its rest. Resolves with their
   * number.
   */
  async redeliverWaiting(receiver: string): Promise<number> {
    const { rows } = await this.database.query(REDELIVER_WAITING, [DELIVER_WITHIN_MS, receiver]);
    return (rows[0] as { deliveries: number }).deliveries;
  }

  /** The receiver that a delivery is for. */
  async findReceiverOf(id: string): Promise<string | null> {
    const text = 'select receiver from webhook_deliveries where id = $1';
    const { rows } = await this.database.query(text, [id]);
    return (rows[0] as { receiver: string } | undefined)?.receiver ?? null;
  }

  /** Makes a delivery due now, as if it were new, and ends the rest of its receiver. */
  async redeliver(id: string, receiver: string): Promise<void> {
    await this.database.query(REDELIVER, [id, DELIVER_WITHIN_MS, receiver]);
  }

  /** Notes that a receiver has received a test, which also switches it on again. */
  async revive({ id, token, shownUrl }: Receiver): Promise<void> {
    await this.database.query(REVIVE, [id, token, shownUrl]);
  }
}

function toDelivery(row: unknown): WebhookDelivery {
  return (row as { delivery: WebhookDelivery }).delivery;
}

function writePlace({ created_at, id }: WebhookDelivery): string {
  return `${created_at}:${id}`;
}

/** A text that is not a cursor of a page stands for the beginning. */
function readPlace(text: string): Place {
  const [createdAt = '', id = ''] = text.split(':');
  return { createdAt: Number(createdAt) || 0, id };
}

// Results are JSON, in which PostgreSQL's bigint is a number.

/** Waiting deliveries among whose attempts the last error is looked for. */
const MOST_LOOKED_AT = 20;

const FIND_RECEIVERS = `
  select json_build_object(
    'id', given.id, 'ended_at', ended_at,
    'last_success_at', last_success_at, 'last_failure_at', last_failure_at,
    'last_error', (
      -- Those that have failed are due last.
      select attempt.error from (
        select id from webhook_deliveries
        where receiver = given.id and status = 'waiting' order by due_at desc limit ${MOST_LOOKED_AT}
      ) waits
      join webhook_attempts attempt on attempt.delivery = waits.id
      where attempt.error is not null and last_failure_at > coalesce(last_success_at, 0)
      order by attempt.at desc limit 1
    ),
    'waiting', (
      select count(*) from (
        select from webhook_deliveries
        where receiver = given.id and status = 'waiting' limit $2
      ) counted
    )
  ) as receiver
  from unnest($1::text[]) with ordinality as given (id, place)
  left join webhook_receivers known on known.id = given.id
  order by place`;

/** A delivery as callers see it. `most`: the parameter with the number of attempts. */
const deliveryWith = (most: string) => `
  json_build_object(
    'id', id, 'token', token, 'url', url, 'type', type, 'status', status, 'created_at', created_at,
    'next_attempt_at', case when status = 'waiting' then due_at end,
    'attempts', (
      select coalesce(json_agg(to_jsonb(latest) - 'delivery' order by at), '[]')
      from (
        select * from webhook_attempts where delivery = id order by at desc limit ${most}
      ) latest
    )
  ) as delivery`;

const LIST_DELIVERIES = `
  select ${deliveryWith('$9')} from webhook_deliveries
  where ($1::text is null or token = $1)
    and ($2::text is null or status = $2)
    and ($3::text is null or url = $3)
    and ($4::bigint is null or created_at >= $4)
    and ($5::bigint is null or created_at <= $5)
    and ($6::bigint is null or (created_at, id) < ($6, $7))
  order by created_at desc, id desc limit $8`;

const FIND_DELIVERY = `
  select ${deliveryWith('$3')} from webhook_deliveries
  where ($1::text is null or token = $1) and id = $2`;

const REDELIVER = `
  with rested as (update webhook_receivers set rests_until = 0 where id = $3)
  update webhook_deliveries
  set status = 'waiting', attempts = 0, due_at = now_ms(), expires_at = now_ms() + $2
  where id = $1`;

const REDELIVER_WAITING = `
  with rested as (update webhook_receivers set rests_until = 0 where id = $2), due as (
    update webhook_deliveries
    set attempts = 0, due_at = now_ms(), expires_at = now_ms() + $1
    where receiver = $2 and status = 'waiting' returning 1
  )
  select count(*)::integer as deliveries from due`;

const REVIVE = `
  insert into webhook_receivers (id, token, url, last_success_at) values ($1, $2, $3, now_ms())
  on conflict (id) do update set
    ended_at = null, failures = 0, rests_until = 0, last_success_at = excluded.last_success_at`;
