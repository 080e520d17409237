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

-- Sums of the records that exist.
INSERT INTO usage_hourly
SELECT date_trunc('hour', created_at, 'UTC'), token, sponsor, count(*) FILTER (WHERE status = 'executed'),
  count(*) FILTER (WHERE outcome = 'failure'), sum(refused), coalesce(sum(gas_net), 0)
FROM sponsorships GROUP BY 1, 2, 3
HAVING count(*) FILTER (WHERE status = 'executed') + sum(refused) > 0 OR sum(gas_net) <> 0;

INSERT INTO usage_hourly
SELECT date_trunc('hour', created_at, 'UTC'), token, coalesce(sponsor, ''), 0, 0, count(*), 0
FROM refusals GROUP BY 1, 2, 3
ON CONFLICT (hour, token, sponsor) DO UPDATE SET refused = usage_hourly.refused + excluded.refused;

INSERT INTO usage_daily
SELECT date_trunc('day', created_at, 'UTC'), token, coalesce(token_user, ''), coalesce(sender, ''), sponsor,
  count(*) FILTER (WHERE status = 'executed'), count(*) FILTER (WHERE outcome = 'failure'), sum(refused),
  coalesce(sum(gas_net), 0)
FROM sponsorships GROUP BY 1, 2, 3, 4, 5
HAVING count(*) FILTER (WHERE status = 'executed') + sum(refused) > 0 OR sum(gas_net) <> 0;

INSERT INTO usage_daily_calls
SELECT date_trunc('day', s.created_at, 'UTC'), s.token, s.sponsor, coalesce(c.package, ''), coalesce(c.function, ''),
  count(*) FILTER (WHERE s.status = 'executed'), count(*) FILTER (WHERE s.outcome = 'failure'), sum(s.refused),
  coalesce(sum(s.gas_net), 0)
FROM sponsorships s
LEFT JOIN LATERAL (
  SELECT f.package, concat_ws('::', f.package, f.module, f.name) AS function
  FROM sponsorship_functions sf JOIN functions f ON f.id = sf.function WHERE sf.id = s.id
  UNION SELECT f.package, ''
  FROM sponsorship_functions sf JOIN functions f ON f.id = sf.function WHERE sf.id = s.id
) c ON true
GROUP BY 1, 2, 3, 4, 5
HAVING count(*) FILTER (WHERE s.status = 'executed') + sum(s.refused) > 0 OR sum(s.gas_net) <> 0;
