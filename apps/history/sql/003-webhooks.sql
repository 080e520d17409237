-- What a receiver's deliveries share. A receiver is a webhook of a token, or of the fleet where token is null.
create table webhook_receivers (
  id text primary key,
  token text,
  url text not null,
  -- Attempts that failed since the last success.
  failures integer not null default 0,
  -- It gets nothing before; milliseconds since 1970, as are all times here.
  rests_until bigint not null default 0,
  -- Answered 410.
  ended_at bigint,
  last_success_at bigint,
  last_failure_at bigint
);

-- One message to one receiver. The id follows from event and receiver, so that an event read twice makes one delivery.
create table webhook_deliveries (
  id text primary key,
  receiver text not null,
  token text,
  url text not null,
  type text not null,
  body text not null,
  status text not null check (status in ('waiting', 'delivered', 'undelivered')),
  created_at bigint not null,
  -- Since the delivery, or since it was last delivered again by hand.
  attempts integer not null default 0,
  -- Of one that waits: the next attempt, and the end of all attempts.
  due_at bigint not null,
  expires_at bigint not null
);
create index webhook_deliveries_due on webhook_deliveries (receiver, due_at) where status = 'waiting';
create index webhook_deliveries_listed on webhook_deliveries (created_at desc, id desc);
create index webhook_deliveries_listed_of_token on webhook_deliveries (token, created_at desc, id desc);
create index webhook_deliveries_expiring on webhook_deliveries (expires_at) where status = 'waiting';

create table webhook_attempts (
  delivery text not null references webhook_deliveries (id) on delete cascade,
  at bigint not null,
  duration_ms integer not null,
  status integer,
  error text,
  answer text not null
);
create index webhook_attempts_of_delivery on webhook_attempts (delivery, at);

-- Up to where streams of Redis have been turned into deliveries.
create table webhook_cursors (
  stream text primary key,
  last_id text not null
);
