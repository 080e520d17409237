import type {
  ListedRefusal,
  Sponsorship,
  SponsorshipEvent,
  WebhookEvent,
} from '@forecourt/contracts';
import { deliveryIdOf, type Receiver, type WebhookDirectory } from './webhook-directory.js';
import { writeBody } from './webhook-sender.js';

/** A delivery that is not received by then is undelivered. */
export const DELIVER_WITHIN_MS = 72 * 3_600_000;
/** Of one statement: deliveries, and characters of their bodies. */
const MOST_TOGETHER = 1_000;
const BATCH_LENGTH = 4 * 1024 * 1024;

/** Something to notify receivers of. */
export interface NotifiedEvent {
  /** Identifies the event: one read twice has the same key. */
  readonly key: string;
  readonly type: WebhookEvent;
  /** The token whose webhooks receive it besides the fleet's; null: only the fleet's. */
  readonly token: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly data: object;
}

/** The events of a sponsorship that has ended: its end, and each execute that the ledger refused before. */
export function eventsOfEnded(sponsorship: Sponsorship): readonly NotifiedEvent[] {
  const { reservation_id, status, refusals, ended_at, created_at } = sponsorship;
  const endedAt = ended_at ?? created_at;
  const ended = eventOf(sponsorship, `sponsorship.${status}` as SponsorshipEvent, 'end', endedAt);
  const refused = refusals.map((refusal) => {
    const occurrence = `refusal ${refusal.at} ${refusal.digest ?? ''} ${refusal.code}`;
    return eventOf(sponsorship, 'sponsorship.refused', occurrence, refusal.at);
  });
  return [...refused, ended];

  function eventOf(data: Sponsorship, type: SponsorshipEvent, occurrence: string, time: number) {
    const key = `sponsorship ${data.sponsor_address} ${reservation_id} ${occurrence}`;
    return { key, type, token: data.token, at: time, data };
  }
}

/** The event of a refused request. `entry`: the id of its entry in the stream. */
export function eventOfRefusal(refusal: ListedRefusal, entry: string): NotifiedEvent {
  const type = 'sponsorship.refused';
  const { at, token } = refusal;
  return { key: `refusal ${entry}`, type, token, at, data: refusal };
}

/** A connection or pool of `pg`. */
export interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/**
 * Adds the deliveries of events. Called in the transaction that stores what the events are about, so that
 * neither exists without the other. An event that was added before changes nothing; a receiver that answered
 * 410 gets none. Returns the ids of the receivers that have got deliveries.
 */
export async function addDeliveries(
  transaction: Queryable,
  directory: WebhookDirectory,
  events: readonly NotifiedEvent[],
): Promise<ReadonlySet<string>> {
  const receivers = new Set<string>();
  for (const deliveries of inBatches(directory, events)) {
    const { rows } = await transaction.query(ADD, [
      deliveries.map(({ event, receiver }) => deliveryIdOf(receiver, event.key)),
      deliveries.map(({ receiver }) => receiver.id),
      deliveries.map(({ receiver }) => receiver.token),
      deliveries.map(({ receiver }) => receiver.shownUrl),
      deliveries.map(({ event }) => event.type),
      deliveries.map(({ body }) => body),
      deliveries.map(({ event }) => event.at),
      DELIVER_WITHIN_MS,
    ]);
    for (const row of rows) receivers.add((row as { receiver: string }).receiver);
  }
  return receivers;
}

interface NewDelivery {
  readonly event: NotifiedEvent;
  readonly receiver: Receiver;
  readonly body: string;
}

/**
 * The deliveries of events, in batches of bounded size: the data of one event may be large, and its receivers
 * many.
 */
function* inBatches(
  directory: WebhookDirectory,
  events: readonly NotifiedEvent[],
): Generator<readonly NewDelivery[]> {
  let [batch, length]: [NewDelivery[], number] = [[], 0];
  for (const event of events) {
    const receivers = directory.receiversOf(event.type, event.token);
    const body = receivers.length > 0 ? writeBody(event.type, event.at, event.data) : '';
    for (const receiver of receivers) {
      batch.push({ event, receiver, body });
      length += body.length;
      if (length < BATCH_LENGTH && batch.length < MOST_TOGETHER) continue;
      yield batch;
      [batch, length] = [[], 0];
    }
  }
  if (batch.length > 0) yield batch;
}

const ADD = `
  insert into webhook_deliveries
    (id, receiver, token, url, type, body, status, created_at, due_at, expires_at)
  select id, receiver, token, url, type, body, 'waiting', at, now_ms(), now_ms() + $8
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
    as given (id, receiver, token, url, type, body, at)
  where not exists (
    select from webhook_receivers known
    where known.id = given.receiver and known.ended_at is not null
  )
  on conflict (id) do nothing
  returning receiver`;
