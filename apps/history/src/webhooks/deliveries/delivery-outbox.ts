import { writeBody } from '../sending/signed-message.js';
import { deliveryIdOf, type Receiver } from './receiver.js';
import { DELIVER_WITHIN_MS } from './retry-schedule.js';
import type { NotifiedEvent } from './webhook-event.js';

/** A connection or pool of `pg`. */
export interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** The receivers of an event. */
export interface FindReceivers {
  receiversOf(event: Pick<NotifiedEvent, 'type' | 'token'>): readonly Receiver[];
}

/**
 * Adds the deliveries of events. Called in the transaction that stores what the events are about, so that neither exists without
 * the other. An event that was added before changes nothing; a receiver that answered 410 gets none. Returns the ids of the
 * receivers that have got deliveries.
 */
export async function addDeliveries(
  transaction: Queryable,
  directory: FindReceivers,
  events: readonly NotifiedEvent[],
  now = Date.now(),
): Promise<ReadonlySet<string>> {
  const deliveries = events.flatMap((event) => {
    const receivers = directory.receiversOf(event);
    const body = receivers.length > 0 ? writeBody(event.type, event.at, event.data) : '';
    return receivers.map((receiver) => ({ event, receiver, body }));
  });
  if (deliveries.length === 0) return new Set();
  const { rows } = await transaction.query(ADD, [
    deliveries.map(({ event, receiver }) => deliveryIdOf(receiver, event.key)),
    deliveries.map(({ receiver }) => receiver.id),
    deliveries.map(({ receiver }) => receiver.token),
    deliveries.map(({ receiver }) => receiver.shownUrl),
    deliveries.map(({ event }) => event.type),
    deliveries.map(({ body }) => body),
    deliveries.map(({ event }) => event.at),
    now,
    now + DELIVER_WITHIN_MS,
  ]);
  return new Set(rows.map((row) => (row as { receiver: string }).receiver));
}

const ADD = `
  insert into webhook_deliveries
    (id, receiver, token, url, type, body, status, created_at, due_at, expires_at)
  select id, receiver, token, url, type, body, 'waiting', at, $8, $9
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
    as given (id, receiver, token, url, type, body, at)
  where not exists (
    select from webhook_receivers known
    where known.id = given.receiver and known.ended_at is not null
  )
  on conflict (id) do nothing
  returning receiver`;
