-- Refused requests, and refused executes of sponsorships, by code: sums of records, which outlive them. Writers add to them as to
-- `usage_hourly`. Those of which a gateway kept only the number are in `dropped_refusals` alone.

CREATE TABLE refused_hourly (
  hour     timestamptz NOT NULL,
  token    text        NOT NULL,
  code     text        NOT NULL,
  requests bigint      NOT NULL,
  PRIMARY KEY (hour, token, code)
) WITH (fillfactor = 70);

-- Sums of the records that exist.
INSERT INTO refused_hourly
SELECT hour, token, code, count(*) FROM (
  SELECT date_trunc('hour', created_at, 'UTC') AS hour, token, code FROM refusals
  UNION ALL
  SELECT date_trunc('hour', created_at, 'UTC'), token, r ->> 'code'
  FROM sponsorships, json_array_elements(refusals) r WHERE refused > 0
) refused GROUP BY 1, 2, 3;
