-- Why a sponsorship was recorded from the ledger; null: it was recorded as it ended.
ALTER TABLE sponsorships ADD COLUMN rebuilt text;

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
