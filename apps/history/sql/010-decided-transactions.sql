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
