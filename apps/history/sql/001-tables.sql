-- Records: one row for each ended sponsorship and each refused request, never changed.
--
-- Ids hold their time, so that one order serves time, pages and partitions. A sponsorship has the id of its reservation, with 13 bits
-- below the milliseconds since 2025-01-01; a refusal has an id that is made of its place in the stream, with 20 bits below them.
-- Tables below `PARTITION BY` have a partition for each day (UTC), by the id.
--
-- A page is read from an index whose first columns are the filter and whose last one is the id: a rare value is found as fast as a
-- common one. Indexes that begin with the token serve callers, who see one token's records.

CREATE TABLE sponsorships (
  id               bigint      NOT NULL,
  created_at       timestamptz NOT NULL
    GENERATED ALWAYS AS (to_timestamp((1735689600000 + (id >> 13)) / 1000.0)) STORED,
  ended_at         timestamptz NOT NULL,
  status           text        NOT NULL,
  outcome          text,
  token            text        NOT NULL,
  token_user       text,
  sponsor          text        NOT NULL,
  sender           text,
  digest           text,
  gas_budget       numeric     NOT NULL,
  reserved_balance numeric     NOT NULL,
  gas_coins        json        NOT NULL,
  gas_computation  numeric,
  gas_storage      numeric,
  gas_rebate       numeric,
  gas_net          numeric,
  gas_counted      numeric,
  commands         text[]      NOT NULL,
  rule             text,
  refusals         json        NOT NULL,
  refused          smallint    NOT NULL,
  failure          text,
  attempts         integer     NOT NULL,
  executor         text,
  request_ids      text[]      NOT NULL,
  trace_id         text,
  timeline         json        NOT NULL,
  -- Why it was recorded from the ledger; null: it was recorded as it ended.
  rebuilt          text,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);

CREATE INDEX ON sponsorships (token, id);
CREATE INDEX ON sponsorships (token, status, id);
CREATE INDEX ON sponsorships (token, outcome, id) WHERE outcome IS NOT NULL;
CREATE INDEX ON sponsorships (status, id);
CREATE INDEX ON sponsorships (outcome, id) WHERE outcome IS NOT NULL;
CREATE INDEX ON sponsorships (sponsor, id);
CREATE INDEX ON sponsorships (token_user, id) WHERE token_user IS NOT NULL;
CREATE INDEX ON sponsorships (sender, id) WHERE sender IS NOT NULL;
CREATE INDEX ON sponsorships USING hash (digest) WHERE digest IS NOT NULL;

-- The functions that were called. The id is a hash of the name, so that writers need not agree on it.
CREATE TABLE functions (
  id        bigint PRIMARY KEY,
  package   text NOT NULL,
  module    text NOT NULL,
  name      text NOT NULL,
  last_used date NOT NULL
);
CREATE INDEX ON functions (package, module, name);
CREATE INDEX ON functions (module);
CREATE INDEX ON functions (name);

-- The functions that each sponsorship calls.
CREATE TABLE sponsorship_functions (
  function bigint NOT NULL,
  id       bigint NOT NULL,
  token    text   NOT NULL,
  PRIMARY KEY (function, id)
) PARTITION BY RANGE (id);
CREATE INDEX ON sponsorship_functions (token, function, id);

-- The codes with which the executes of a sponsorship were refused, by the ledger or by a gateway. A gateway's may be written before
-- the sponsorship ends.
CREATE TABLE sponsorship_errors (
  code  text   NOT NULL,
  id    bigint NOT NULL,
  token text   NOT NULL,
  PRIMARY KEY (code, id)
) PARTITION BY RANGE (id);
CREATE INDEX ON sponsorship_errors (token, code, id);

CREATE TABLE refusals (
  id          bigint      NOT NULL,
  created_at  timestamptz NOT NULL
    GENERATED ALWAYS AS (to_timestamp((1735689600000 + (id >> 20)) / 1000.0)) STORED,
  route       text        NOT NULL,
  token       text        NOT NULL,
  token_user  text,
  sponsor     text,
  sender      text,
  status      text        NOT NULL,
  code        text        NOT NULL,
  message     text        NOT NULL,
  rule        text,
  digest      text,
  reservation bigint,
  request     text,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);

CREATE INDEX ON refusals (token, id);
CREATE INDEX ON refusals (token, status, id);
CREATE INDEX ON refusals (token, code, id);
CREATE INDEX ON refusals (status, id);
CREATE INDEX ON refusals (code, id);
CREATE INDEX ON refusals (sponsor, id) WHERE sponsor IS NOT NULL;
CREATE INDEX ON refusals (token_user, id) WHERE token_user IS NOT NULL;
CREATE INDEX ON refusals (sender, id) WHERE sender IS NOT NULL;
CREATE INDEX ON refusals (reservation, id) WHERE reservation IS NOT NULL;
CREATE INDEX ON refusals USING hash (digest) WHERE digest IS NOT NULL;

-- The functions that each refused transaction calls.
CREATE TABLE refusal_functions (
  function bigint NOT NULL,
  id       bigint NOT NULL,
  token    text   NOT NULL,
  PRIMARY KEY (function, id)
) PARTITION BY RANGE (id);
CREATE INDEX ON refusal_functions (token, function, id);

-- Entries of a stream that cannot be read, kept for examination.
CREATE TABLE broken_entries (
  stream    text        NOT NULL,
  entry     text        NOT NULL,
  fields    json        NOT NULL,
  problem   text        NOT NULL,
  broken_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (stream, entry)
);

-- Usage: sums of records, which outlive them. Writers add to them in the transaction that inserts the records. Times are those of the
-- reservation or the refusal; an empty text stands for a value that a record does not have.

CREATE TABLE usage_hourly (
  hour         timestamptz NOT NULL,
  token        text        NOT NULL,
  sponsor      text        NOT NULL,
  transactions bigint      NOT NULL,
  failed       bigint      NOT NULL,
  refused      bigint      NOT NULL,
  gas          numeric     NOT NULL,
  PRIMARY KEY (hour, token, sponsor)
) WITH (fillfactor = 70);

-- Refused requests are not counted by user and sender, nor by function: they cost nothing, and would fill these tables with names
-- that anybody may invent. Refused executes of a sponsorship are.
CREATE TABLE usage_daily (
  day          timestamptz NOT NULL,
  token        text        NOT NULL,
  token_user   text        NOT NULL,
  sender       text        NOT NULL,
  sponsor      text        NOT NULL,
  transactions bigint      NOT NULL,
  failed       bigint      NOT NULL,
  refused      bigint      NOT NULL,
  gas          numeric     NOT NULL,
  PRIMARY KEY (day, token, token_user, sender, sponsor)
) WITH (fillfactor = 70);

-- A transaction counts once in each function that it calls, and once in each package, in the row with an empty function; one that
-- calls nothing counts in the row with an empty package.
CREATE TABLE usage_daily_calls (
  day          timestamptz NOT NULL,
  token        text        NOT NULL,
  sponsor      text        NOT NULL,
  package      text        NOT NULL,
  function     text        NOT NULL,
  transactions bigint      NOT NULL,
  failed       bigint      NOT NULL,
  refused      bigint      NOT NULL,
  gas          numeric     NOT NULL,
  PRIMARY KEY (day, token, sponsor, package, function)
) WITH (fillfactor = 70);

-- Refused requests of which a gateway kept only the number, by the hour in which history read it.
CREATE TABLE dropped_refusals (
  hour     timestamptz NOT NULL,
  token    text        NOT NULL,
  code     text        NOT NULL,
  requests bigint      NOT NULL,
  PRIMARY KEY (hour, token, code)
);

-- Counters in Redis as history has last read them.
CREATE TABLE read_counters (
  name  text   PRIMARY KEY,
  value bigint NOT NULL
);

-- Latencies: how many executed transactions took how long, by token. Writers add to them in the transaction that inserts the records.
-- `latency` is the time from the claim of a transaction to its outcome, `queue` the part of it before an executor began. Buckets are
-- those of latency-buckets.ts. Times are those of the reservation. Minutes are kept for a short time, hours as long as records.
CREATE TABLE latencies (
  unit         text        NOT NULL,
  at           timestamptz NOT NULL,
  token        text        NOT NULL,
  measure      text        NOT NULL,
  bucket       smallint    NOT NULL,
  transactions bigint      NOT NULL,
  PRIMARY KEY (unit, at, token, measure, bucket)
) WITH (fillfactor = 70);

-- Refused requests, and refused executes of sponsorships, by code: sums of records, which outlive them. Writers add to them as to
-- `usage_hourly`. Those of which a gateway kept only the number are in `dropped_refusals` alone.

CREATE TABLE refused_hourly (
  hour     timestamptz NOT NULL,
  token    text        NOT NULL,
  code     text        NOT NULL,
  requests bigint      NOT NULL,
  PRIMARY KEY (hour, token, code)
) WITH (fillfactor = 70);

-- Access decisions, for replays under other rules. The id is the time of the decision, with 20 bits below the milliseconds since
-- 2025-01-01; for a refusal it is the id of its record. `facts` has the form of decision-facts.ts. These days are kept for less time
-- than the records: a transaction is most of a row.
CREATE TABLE decided_transactions (
  id          bigint  NOT NULL,
  -- Of the sponsorship or the refusal.
  record      bigint  NOT NULL,
  -- The error code of a refusal; null: it was sponsored.
  refusal     text,
  token       text    NOT NULL,
  token_user  text,
  sponsor     text,
  digest      text,
  reservation bigint,
  rule        text,
  facts       text    NOT NULL,
  -- Null: too long; or with a null digest, a reservation was refused.
  transaction bytea,
  -- Of a sponsorship; in milliseconds since 1970.
  ended_at    bigint,
  executed    boolean NOT NULL,
  counted     numeric NOT NULL,
  gas         numeric NOT NULL,
  PRIMARY KEY (id, record)
) PARTITION BY RANGE (id);
CREATE INDEX ON decided_transactions (token, id, record);

-- What was found on the ledger because no pool had a record of it: a sponsored transaction by its digest, or gas that no transaction
-- explains by its entry in the stream. The gas of transactions is part of the usage, that without one is not.
CREATE TABLE corrections (
  sponsor      text        NOT NULL,
  key          text        NOT NULL,
  at           timestamptz NOT NULL,
  cause        text        NOT NULL,
  transactions smallint    NOT NULL,
  gas          numeric     NOT NULL,
  unexplained  numeric     NOT NULL,
  PRIMARY KEY (sponsor, key)
);
CREATE INDEX ON corrections (at);

-- The numbers of the entries of each sponsor's stream. Writers add those that they write in the transaction that inserts the records.
-- `missing`: how many numbers were neither written nor in the stream; they count among `written` from then on.
CREATE TABLE entry_numbers (
  sponsor text           NOT NULL,
  era     bigint         NOT NULL,
  written int8multirange NOT NULL DEFAULT '{}',
  missing bigint         NOT NULL DEFAULT 0,
  PRIMARY KEY (sponsor, era)
);

-- The network whose records the tables hold: one row, from the first sponsorship on.
CREATE TABLE network (
  chain    text    NOT NULL,
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
);

-- The one clock of all replicas, in milliseconds since 1970: their own clocks differ. The same during a statement.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql STABLE
AS 'SELECT (extract(epoch FROM statement_timestamp()) * 1000)::bigint';

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
