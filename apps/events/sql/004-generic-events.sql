-- The keys of generic Move events by their struct: a type without parameters finds every instantiation. Those of new events are
-- written with them.
INSERT INTO events.postings (key, position)
SELECT ('x' || encode(substring(sha256(convert_to('MoveEvent ' || struct, 'UTF8')) FOR 8), 'hex'))::bit(64)::bigint, position
FROM (
  SELECT position,
    '0x' || lpad(lower(substr(split_part(name, '::', 1), 3)), 64, '0') || '::' || split_part(name, '::', 2) || '::' || split_part(name, '::', 3) AS struct
  FROM (
    -- JSON of fields may hold what PostgreSQL cannot read as text.
    SELECT position, substring(event FROM '^\{"moveEvent":\{[^{}]*"type":"([^"<]*)<') AS name FROM events.events
  ) AS typed
  WHERE name IS NOT NULL
) AS generic;
