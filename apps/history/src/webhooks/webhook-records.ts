import {
  type DeliveryFilters,
  type DeliveryPage,
  MAX_COUNTED_WAITING,
  MAX_SHOWN_ATTEMPTS,
  type WebhookDelivery,
  type WebhookStatus,
} from '@forecourt/contracts';
import { DELIVER_WITHIN_MS, type Queryable } from './delivery-outbox.js';
import type { Receiver } from './webhook-directory.js';

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
