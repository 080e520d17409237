-- The index of the ledger's events, in the schema `events`.
--
-- A position is an event's place in the ledger: its cursor, txSeq * 2^14 + eventSeq. The tables of rows have a partition for
-- each 2^20 transactions. The index holds every event from `first_position` up to `end_position`, except for those in holes.

CREATE TABLE events.ledger (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Values that distinguish ledgers; null if no node has reported them.
  chain_identifier text,
  genesis_transaction text,
  first_checkpoint bigint NOT NULL,
  first_position bigint NOT NULL,
  -- The next checkpoint to write, and the position at which it begins.
  end_checkpoint bigint NOT NULL,
  end_position bigint NOT NULL,
  -- The time of the last written checkpoint, in ms; null: none is written.
  end_at bigint,
  -- When `first_position` was last raised: readers that know the former one still need its partitions for a while.
  first_raised_at timestamptz NOT NULL DEFAULT now(),
  -- Grows whenever events are added: a read replica is as new as its number.
  changes bigint NOT NULL DEFAULT 0,
  -- The last checkpoint that was written as the continuation of the one before it: its number, and its digest in base58, which
  -- the next one must name.
  linked_checkpoint bigint,
  linked_digest text,
  CHECK (first_checkpoint <= end_checkpoint AND first_position <= end_position)
);

-- Checkpoints [first_checkpoint, end_checkpoint), with the positions [first_position, end_position), that are not in the index.
CREATE TABLE events.holes (
  first_position bigint PRIMARY KEY,
  first_checkpoint bigint NOT NULL,
  end_position bigint NOT NULL,
  end_checkpoint bigint NOT NULL,
  -- `waiting`: to be read; else why no node delivers them: `pruned`, `inconvertible`, `gap`.
  reason text NOT NULL,
  detail text NOT NULL DEFAULT '',
  attempts integer NOT NULL DEFAULT 0,
  retry_at timestamptz NOT NULL DEFAULT now(),
  CHECK (first_position < end_position)
);

-- One row for each event. `event` is JSON; as text it keeps every character, and numbers as they are.
CREATE TABLE events.events (
  position bigint NOT NULL,
  at bigint NOT NULL,
  transaction bytea NOT NULL,
  event text NOT NULL,
  PRIMARY KEY (position)
) PARTITION BY RANGE (position);

-- One row for each key of an event: a hash of a criterion that it satisfies. A transaction has one row, at its first event.
CREATE TABLE events.postings (
  key bigint NOT NULL,
  position bigint NOT NULL
) PARTITION BY RANGE (position);
CREATE INDEX ON events.postings (key, position);

-- Some first positions of checkpoints with their times: a query by time begins at one and reads a few rows too many.
CREATE TABLE events.marks (
  position bigint PRIMARY KEY,
  at bigint NOT NULL
);
CREATE INDEX ON events.marks (at, position);

-- Checkpoints without transactions that follow one another, some hundred to a row: their number is bounded by time only. Their
-- events have the ids after that of the last transaction before them. `checkpoint` and `event_seq`: of the first one.
CREATE TABLE events.empty_checkpoints (
  tx_seq bigint NOT NULL,
  event_seq bigint NOT NULL,
  checkpoint bigint NOT NULL,
  transaction bytea NOT NULL,
  -- Of each, in ms.
  times bigint[] NOT NULL,
  PRIMARY KEY (tx_seq, event_seq)
);
CREATE INDEX ON events.empty_checkpoints ((times[1]), tx_seq, event_seq);
