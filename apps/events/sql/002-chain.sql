-- The last checkpoint that was written as the continuation of the one before it: its number, and its digest in base58, which the
-- next one must name. A process of the previous release writes checkpoints after it without noting them here.
ALTER TABLE events.ledger
  ADD COLUMN linked_checkpoint bigint,
  ADD COLUMN linked_digest text;
