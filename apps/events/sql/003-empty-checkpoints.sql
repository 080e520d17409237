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

-- The empty checkpoints before it are in the index. A process of the previous release writes checkpoints after it without their
-- empty ones; null: none is known to be there.
ALTER TABLE events.ledger ADD COLUMN complete_checkpoint bigint;
