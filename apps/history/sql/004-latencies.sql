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
