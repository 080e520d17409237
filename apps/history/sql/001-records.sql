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
