-- The one clock of all replicas, in milliseconds since 1970: their own clocks differ. The same during a statement.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql STABLE
AS 'SELECT (extract(epoch FROM statement_timestamp()) * 1000)::bigint';
