import type { DeliveryStatus, WebhookAttempt } from '@forecourt/contracts';
import { Batcher } from '@forecourt/runtime/async';
import type { Queryable } from './delivery-outbox.js';
import type { Receiver } from './webhook-directory.js';

/** A delivery that is due. */
export interface DueDelivery {
  readonly id: string;
  readonly body: string;
  /** Attempts so far. */
  readonly attempts: number;
}

/** The next step for a receiver. */
export interface DueWork {
  readonly deliveries: readonly DueDelivery[];
  /** Failures since its last success. */
  readonly failures: number;
}

/** An attempt that has just ended, and what follows from it. */
export interface RecordedAttempt {
  readonly delivery: string;
  readonly attempt: Omit<WebhookAttempt, 'at'>;
  readonly status: DeliveryStatus;
  /** Of a waiting one: until the next attempt. */
  readonly pauseMs: number;
}

/** Findings of a turn about a receiver. */
export interface ReceiverHealth {
  readonly failures: number;
  /** It gets nothing for this long. */
  readonly restMs: number;
  /** How long ago; null: it did not happen. */
  readonly succeededMsAgo: number | null;
  readonly failedMsAgo: number | null;
}

const MOST_RECORDED = 500;
const MOST_RECEIVERS = 100;

/** A receiver whose due deliveries are wanted. */
interface WantedDeliveries {
  readonly receiver: string;
  readonly most: number;
}

type NotedHealth = ReceiverHealth & { readonly receiver: Receiver };

/**
 * The deliveries in PostgreSQL, as the queue's workers use them. Times are milliseconds since 1970, by the
 * clock of the database: those of replicas differ. Turns share statements: a thousand of them need few
 * connections.
 */
export class DeliveryStore {
  readonly #wanted = new Batcher(
    (turns: readonly WantedDeliveries[]) => this.findAllDue(turns),
    MOST_RECEIVERS,
  );
  readonly #health = new Batcher(
    (noted: readonly NotedHealth[]) => this.noteAllHealth(noted),
    MOST_RECEIVERS,
  );
  readonly #attempts = new Batcher(
    (attempts: readonly RecordedAttempt[]) => this.recordAll(attempts),
    MOST_RECORDED,
  );

  constructor(private readonly database: Queryable) {}

  /** Those of the receivers that have a due delivery, with their failures since the last success. */
  async findDueReceivers(
    receivers: readonly string[],
  ): Promise<readonly { readonly id: string; readonly failures: number }[]> {
    const { rows } = await this.database.query(FIND_DUE_RECEIVERS, [receivers]);
    return rows as { id: string; failures: number }[];
  }

  /** The due deliveries of a receiver, longest due first; none while it rests or is ended. */
  findDue(receiver: string, most: number): Promise<DueWork> {
    return this.#wanted.add({ receiver, most });
  }

  /** Records an attempt, together with those of other receivers. A delivery that was received stays so. */
  async record(attempt: RecordedAttempt): Promise<void> {
    await this.#attempts.add(attempt);
  }

  async noteHealth(receiver: Receiver, health: ReceiverHealth): Promise<void> {
    await this.#health.add({ receiver, ...health });
  }

  /** Ends a receiver: its waiting deliveries become undelivered, and new ones are not added. */
  async end(receiver: Receiver): Promise<void> {
    const { id, token, shownUrl } = receiver;
    await this.database.query(END_RECEIVER, [id, token, shownUrl]);
    await this.database.query(
      `update webhook_deliveries set status = 'undelivered' where receiver = $1 and status = 'waiting'`,
      [id],
    );
  }

  /** Gives up deliveries that have waited too long, also those of webhooks that were removed. */
  async expire(): Promise<void> {
    await this.database.query(
      `update webhook_deliveries set status = 'undelivered' where status = 'waiting' and expires_at <= now_ms()`,
    );
  }

  /**
   * Deletes some ended deliveries older than this, besides those that other replicas delete. False: there are
   * no more.
   */
  async deleteOld(retentionMs: number): Promise<boolean> {
    const { rows } = await this.database.query(DELETE_OLD, [retentionMs, MOST_DELETED]);
    return rows.length === MOST_DELETED;
  }

  private async findAllDue(turns: readonly WantedDeliveries[]): Promise<readonly DueWork[]> {
    const most = Math.max(...turns.map((one) => one.most));
    const receivers = turns.map(({ receiver }) => receiver);
    const { rows } = await this.database.query(FIND_DUE, [receivers, most]);
    const due = rows as (DueDelivery & { receiver: string; failures: number })[];
    return receivers.map((receiver) => {
      const own = due.filter((one) => one.receiver === receiver);
      const deliveries = own.map(({ id, body, attempts }) => ({ id, body, attempts }));
      return { deliveries, failures: own[0]?.failures ?? 0 };
    });
  }

  private async noteAllHealth(noted: readonly NotedHealth[]): Promise<readonly void[]> {
    // A statement changes a row only once.
    const latest = [...new Map(noted.map((one) => [one.receiver.id, one])).values()];
    await this.database.query(NOTE_HEALTH, [
      latest.map(({ receiver }) => receiver.id),
      latest.map(({ receiver }) => receiver.token),
      latest.map(({ receiver }) => receiver.shownUrl),
      latest.map(({ failures }) => failures),
      latest.map(({ restMs }) => restMs),
      latest.map(({ succeededMsAgo }) => succeededMsAgo),
      latest.map(({ failedMsAgo }) => failedMsAgo),
    ]);
    return noted.map(() => undefined);
  }

  private async recordAll(attempts: readonly RecordedAttempt[]): Promise<readonly void[]> {
    await this.database.query(RECORD, [
      attempts.map(({ delivery }) => delivery),
      attempts.map(({ attempt }) => attempt.duration_ms),
      attempts.map(({ attempt }) => attempt.status),
      attempts.map(({ attempt }) => attempt.error),
      attempts.map(({ attempt }) => attempt.answer),
      attempts.map(({ status }) => status),
      attempts.map(({ pauseMs }) => pauseMs),
    ]);
    return attempts.map(() => undefined);
  }
}

const MOST_DELETED = 5_000;

/** Condition on `webhook_receivers known`, which has no row for a receiver without attempts. */
const MAY_RECEIVE = 'coalesce(known.rests_until, 0) <= now_ms() and known.ended_at is null';

const FIND_DUE_RECEIVERS = `
  select given.id, coalesce(known.failures, 0) as failures
  from unnest($1::text[]) as given (id) left join webhook_receivers known on known.id = given.id
  where ${MAY_RECEIVE} and exists (
    select from webhook_deliveries
    where receiver = given.id and status = 'waiting' and due_at <= now_ms()
  )`;

const FIND_DUE = `
  select given.id as receiver, due.*, coalesce(known.failures, 0) as failures
  from unnest($1::text[]) as given (id) left join webhook_receivers known on known.id = given.id
  cross join lateral (
    select id, body, attempts from webhook_deliveries
    where receiver = given.id and status = 'waiting' and due_at <= now_ms()
    order by due_at limit $2
  ) due
  where ${MAY_RECEIVE}`;

const RECORD = `
  with given as (
    select * from unnest(
      $1::text[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::bigint[]
    ) as given (delivery, duration_ms, status, error, answer, outcome, pause_ms)
  ), noted as (
    insert into webhook_attempts (delivery, at, duration_ms, status, error, answer)
    select delivery, now_ms() - duration_ms, duration_ms, given.status, error, answer
    from given join webhook_deliveries on id = delivery
  )
  update webhook_deliveries known
  set status = outcome, attempts = known.attempts + 1, due_at = now_ms() + pause_ms
  from given
  where known.id = delivery and (known.status = 'waiting' or outcome = 'delivered')`;

const NOTE_HEALTH = `
  insert into webhook_receivers as known
    (id, token, url, failures, rests_until, last_success_at, last_failure_at)
  select id, token, url, failures, case rest_ms when 0 then 0 else now_ms() + rest_ms end, now_ms() - succeeded_ms_ago, now_ms() - failed_ms_ago
  from unnest(
    $1::text[], $2::text[], $3::text[], $4::integer[], $5::bigint[], $6::bigint[], $7::bigint[]
  ) as given (id, token, url, failures, rest_ms, succeeded_ms_ago, failed_ms_ago)
  on conflict (id) do update set
    failures = excluded.failures,
    rests_until = excluded.rests_until,
    last_success_at = greatest(known.last_success_at, excluded.last_success_at),
    last_failure_at = greatest(known.last_failure_at, excluded.last_failure_at)`;

const END_RECEIVER = `
  insert into webhook_receivers (id, token, url, ended_at, last_failure_at)
  values ($1, $2, $3, now_ms(), now_ms())
  on conflict (id) do update set ended_at = excluded.ended_at, last_failure_at = excluded.last_failure_at`;

const DELETE_OLD = `
  delete from webhook_deliveries where id in (
    select id from webhook_deliveries where created_at < now_ms() - $1::bigint and status <> 'waiting'
    limit $2 for update skip locked
  ) returning 1`;
